"""Assets: the register of the company's property, its locations and its moves."""
