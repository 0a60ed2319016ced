"""What commands, the model's spending and the agents' side ask the tables; the queue's transitions are elsewhere."""
