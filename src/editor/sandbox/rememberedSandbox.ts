/** What a workspace remembers of its sandbox: its port, and whether it ran when the window was left. */
export const rememberedSandbox = { port: 'sandbox.port', ran: 'sandbox.ran' } as const;
