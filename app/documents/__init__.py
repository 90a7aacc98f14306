"""Documents: PDF files that people send, stored by their content beside the photos."""
