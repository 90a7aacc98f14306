"""`make failover`: what people and programs notice when PostgreSQL's primary is lost."""
