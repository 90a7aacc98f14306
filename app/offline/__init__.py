"""The browser's parts for use without a connection: service worker, shell page and manifest."""
