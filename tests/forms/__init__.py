"""What is kept on disks, release after release: its fields, and pieces of it as each form has them."""
