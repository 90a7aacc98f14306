"""What a check must say, and what in it needs a second look; pure."""

LONGEST_NOTES = 4000
LONGEST_REMARK = 400
MOST_ITEMS = 100
MOST_PHOTOS = 12
LONGEST_PHOTO_NAME = 200
