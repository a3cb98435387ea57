/** Settings, without the leading `runhook.`. */
export const settingIds = {
  baseUrl: 'baseUrl',
  proxyUrl: 'proxyUrl',
  projects: 'projects',
  dashboardUrl: 'dashboardUrl',
  listenerPort: 'listener.port',
  listenerPublicUrl: 'listener.publicUrl',
  listenerTimestampToleranceSeconds: 'listener.timestampToleranceSeconds',
  listenerAcceptUnverified: 'listener.acceptUnverified',
  listenerAcceptLocalCertificates: 'listener.acceptLocalCertificates',
  listenerMaxBodyBytes: 'listener.maxBodyBytes',
  listenerForwardTo: 'listener.forwardTo',
  listenerRoutes: 'listener.routes',
  listenerForwardMode: 'listener.forwardMode',
  listenerKeepAliveSeconds: 'listener.keepAliveSeconds',
  deliveriesKeep: 'deliveries.keep',
  payloadFolder: 'payloadFolder',
  keysExpiryWarningDays: 'keys.expiryWarningDays',
  httpTransport: 'http.transport',
  httpTimeoutSeconds: 'http.timeoutSeconds',
  tunnelProvider: 'tunnel.provider',
  tunnelCommand: 'tunnel.command',
  relayUrl: 'relay.url',
  sandboxApps: 'sandbox.apps',
} as const;

/** The search text that finds the address settings of the service in the settings editor. */
export const serviceSettings = '@id:runhook.baseUrl,runhook.proxyUrl,runhook.projects';

/** Tools for language models. */
export const toolIds = {
  listProjects: 'runhook_listProjects',
  listKeys: 'runhook_listKeys',
  validateSettings: 'runhook_validateSettings',
  applySettings: 'runhook_applySettings',
  runApp: 'runhook_runApp',
  listDeliveries: 'runhook_listDeliveries',
  getDelivery: 'runhook_getDelivery',
  explainDelivery: 'runhook_explainDelivery',
  sendTestDelivery: 'runhook_sendTestDelivery',
  replayDelivery: 'runhook_replayDelivery',
  deliverHere: 'runhook_deliverHere',
  waitForDelivery: 'runhook_waitForDelivery',
} as const;

/** The MCP server that the editor offers to agents. */
export const mcpServers = 'runhook.mcp';

/** The type of Runhook's tasks in tasks.json. */
export const taskType = 'runhook';

export const viewContainerId = 'runhook';

export const viewIds = {
  projects: 'runhook.projects',
  deliveries: 'runhook.deliveries',
} as const;

/** Context keys for `when` clauses. */
export const contextIds = {
  listenerRunning: 'runhook.listenerRunning',
  sandboxRunning: 'runhook.sandboxRunning',
  tunnelOpen: 'runhook.tunnelOpen',
  runActive: 'runhook.runActive',
  /** The open documents of responses that are no longer kept, as URIs. */
  removedResponses: 'runhook.removedResponses',
  /** The same of deliveries. */
  removedDeliveries: 'runhook.removedDeliveries',
  /** Those of deliveries that a run led to, and of those that the handler got. */
  deliveriesOfRuns: 'runhook.deliveriesOfRuns',
  handedDeliveries: 'runhook.handedDeliveries',
  deliveriesFiltered: 'runhook.deliveriesFiltered',
  projectAdded: 'runhook.projectAdded',
  tokenSet: 'runhook.tokenSet',
  terminalsHaveSecret: 'runhook.terminalsHaveSecret',
  sandboxTried: 'runhook.sandboxTried',
  deliveryReceived: 'runhook.deliveryReceived',
  deliveryExplained: 'runhook.deliveryExplained',
  walkthroughShown: 'runhook.walkthroughShown',
} as const;

/** The walkthrough of the welcome page. */
export const walkthroughId = 'runhook.start';

/** The test controller that shows fixtures in the Test view. */
export const testControllerId = 'runhook.fixtures';

/** The view types of webview panels: the settings form, the explanation of a delivery, the timeline of runs. */
export const panelTypes = {
  appSettings: 'runhook.appSettings',
  explanation: 'runhook.explanation',
  timeline: 'runhook.timeline',
} as const;

/** The schemes of the documents that Runhook shows. */
export const schemes = {
  delivery: 'runhook-delivery',
  answer: 'runhook-answer',
  settings: 'runhook-settings',
  keys: 'runhook-keys',
} as const;

/** The suffixes of the files that Runhook understands. */
export const suffixes = { payload: '.payload.json', settings: '.runhook.json' } as const;

/** The language of the output channel *Runhook Deliveries*. */
export const deliveriesLanguageId = 'runhook-deliveries';

/** The language of the documents of responses. */
export const responseLanguageId = 'runhook-response';

/** Workspace state keys of the sandbox: its port, whether another had the one before, whether it ran, its faults, its tokens' id. */
export const rememberedSandbox = {
  tokens: 'sandbox.tokens',
  port: 'sandbox.port',
  moved: 'sandbox.moved',
  ran: 'sandbox.ran',
  faults: 'sandbox.faults',
  applied: 'sandbox.applied',
} as const;
