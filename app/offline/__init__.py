"""What a browser needs to go on without a connection: service worker, shell page and manifest."""
