"""Stock as files and JSON hold it, under the seed's field names."""
