"""`make chaos`: what is left of the data when processes, disks, networks and clocks fail."""
