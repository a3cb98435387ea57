// `node --import ./scripts/lowPriority.mjs …`: what it runs takes the processor that nothing else wants. Tests that
// wait for a screen run beside it.
import { constants, setPriority } from 'node:os';

setPriority(constants.priority.PRIORITY_LOW);
