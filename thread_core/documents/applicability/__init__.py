"""For whom a step is: versions, platforms and roles."""
