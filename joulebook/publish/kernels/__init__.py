"""Kernels that start warm: forked from one parent process that has imported what notebooks import.

`parent` runs in that process, `forks` is its owner's side, `provisioner` hands forked kernels to jupyter_client,
`client` does without its fixed waits, and `engine` without papermill's saving after each cell.
"""
