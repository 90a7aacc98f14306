"""`make s3`: photos in a bucket of a real S3 server, OpenStack Swift with its S3 API."""
