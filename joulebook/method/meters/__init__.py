"""Energy from what meters read: a module a quantity, from the pieces of a channel to a measurement with its uncertainty."""
