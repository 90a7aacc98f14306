"""Photos: uploaded by people, decoded, and stored in a folder or bucket by their content."""
