"""The JSON calls across the features: every one, and as strangers send them."""
