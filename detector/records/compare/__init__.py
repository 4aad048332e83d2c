"""Which records correspond, and what differs between them."""
