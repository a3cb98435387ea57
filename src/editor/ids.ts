/** Every id that package.json declares, typed once. A unit test compares the two. */

export const commandIds = {
  addProject: 'runhook.addProject',
  removeProject: 'runhook.removeProject',
  addServiceAccount: 'runhook.addServiceAccount',
  setToken: 'runhook.setToken',
  deleteToken: 'runhook.deleteToken',
  useServiceAccount: 'runhook.useServiceAccount',
  addApp: 'runhook.addApp',
  removeServiceAccount: 'runhook.removeServiceAccount',
  removeApp: 'runhook.removeApp',
  rename: 'runhook.rename',
  setEnvironment: 'runhook.setEnvironment',
  setProjectAddresses: 'runhook.setProjectAddresses',
  refreshProjects: 'runhook.refreshProjects',
  listKeys: 'runhook.listKeys',
  rotateToken: 'runhook.rotateToken',
  removeAllTokens: 'runhook.removeAllTokens',
  openApiKeysPage: 'runhook.openApiKeysPage',
  filterProjects: 'runhook.filterProjects',
  clearProjectsFilter: 'runhook.clearProjectsFilter',
  refreshServiceAccount: 'runhook.refreshServiceAccount',
  cancelRefresh: 'runhook.cancelRefresh',
  showMoreKeys: 'runhook.showMoreKeys',
  openRawKeys: 'runhook.openRawKeys',
  copyId: 'runhook.copyId',
  findTokens: 'runhook.findTokens',
  moveTokenToSecretStore: 'runhook.moveTokenToSecretStore',
  editAppSettings: 'runhook.editAppSettings',
  applyAppSettings: 'runhook.applyAppSettings',
  applySettingsFile: 'runhook.applySettingsFile',
  openSettingsFile: 'runhook.openSettingsFile',
  runApp: 'runhook.runApp',
  runPayload: 'runhook.runPayload',
  openPayload: 'runhook.openPayload',
  renamePayload: 'runhook.renamePayload',
  duplicatePayload: 'runhook.duplicatePayload',
  deletePayload: 'runhook.deletePayload',
  runFile: 'runhook.runFile',
  runAgain: 'runhook.runAgain',
  cancelRun: 'runhook.cancelRun',
  openRunDelivery: 'runhook.openRunDelivery',
  startListener: 'runhook.startListener',
  stopListener: 'runhook.stopListener',
  showOutput: 'runhook.showOutput',
  setWebhookSecret: 'runhook.setWebhookSecret',
  rotateWebhookSecret: 'runhook.rotateWebhookSecret',
  copyWebhookSecret: 'runhook.copyWebhookSecret',
  removeWebhookSecret: 'runhook.removeWebhookSecret',
  listDeliveries: 'runhook.listDeliveries',
  openDelivery: 'runhook.openDelivery',
  explainDelivery: 'runhook.explainDelivery',
  copyDeliveryAsCurl: 'runhook.copyDeliveryAsCurl',
  saveDeliveryAsFixture: 'runhook.saveDeliveryAsFixture',
  replayDelivery: 'runhook.replayDelivery',
  clearDeliveries: 'runhook.clearDeliveries',
  askToClearDeliveries: 'runhook.askToClearDeliveries',
  sendFixture: 'runhook.sendFixture',
  verifySignature: 'runhook.verifySignature',
  showExpectedSignature: 'runhook.showExpectedSignature',
  insertVerificationCode: 'runhook.insertVerificationCode',
  openDeliveryBody: 'runhook.openDeliveryBody',
  replayDeliveries: 'runhook.replayDeliveries',
  filterDeliveries: 'runhook.filterDeliveries',
  clearDeliveryFilter: 'runhook.clearDeliveryFilter',
  loadMoreDeliveries: 'runhook.loadMoreDeliveries',
  sendTestDelivery: 'runhook.sendTestDelivery',
  setNextResponses: 'runhook.setNextResponses',
  openTunnel: 'runhook.openTunnel',
  closeTunnel: 'runhook.closeTunnel',
  checkPublicUrl: 'runhook.checkPublicUrl',
  startSandbox: 'runhook.startSandbox',
  stopSandbox: 'runhook.stopSandbox',
  resetSandbox: 'runhook.resetSandbox',
  setSandboxFaults: 'runhook.setSandboxFaults',
  showWebhookAttempts: 'runhook.showWebhookAttempts',
  copyNewSandboxToken: 'runhook.copyNewSandboxToken',
  showLog: 'runhook.showLog',
  reset: 'runhook.reset',
} as const;

export type CommandId = (typeof commandIds)[keyof typeof commandIds];

/** Those in the title of a view. All others in the menus of views are of an element. */
export const titleCommandIds: ReadonlySet<CommandId> = new Set([
  commandIds.addProject,
  commandIds.refreshProjects,
  commandIds.filterProjects,
  commandIds.clearProjectsFilter,
  commandIds.startSandbox,
  commandIds.findTokens,
  commandIds.removeAllTokens,
  commandIds.filterDeliveries,
  commandIds.clearDeliveryFilter,
  commandIds.askToClearDeliveries,
  commandIds.replayDeliveries,
  commandIds.sendTestDelivery,
  commandIds.sendFixture,
  commandIds.verifySignature,
  commandIds.insertVerificationCode,
]);

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
  listenerMaxBodyBytes: 'listener.maxBodyBytes',
  listenerForwardTo: 'listener.forwardTo',
  listenerForwardMode: 'listener.forwardMode',
  listenerKeepAliveSeconds: 'listener.keepAliveSeconds',
  deliveriesKeep: 'deliveries.keep',
  keysExpiryWarningDays: 'keys.expiryWarningDays',
  httpTransport: 'http.transport',
  httpTimeoutSeconds: 'http.timeoutSeconds',
  tunnelProvider: 'tunnel.provider',
  tunnelCommand: 'tunnel.command',
  sandboxApps: 'sandbox.apps',
} as const;

/** What finds the addresses of the service in the settings editor. */
export const serviceSettings = '@id:runhook.baseUrl,runhook.proxyUrl,runhook.projects';

/** Tools for language models. */
export const toolIds = {
  listProjects: 'runhook_listProjects',
  listKeys: 'runhook_listKeys',
  validateSettings: 'runhook_validateSettings',
  applySettings: 'runhook_applySettings',
  runApp: 'runhook_runApp',
  listDeliveries: 'runhook_listDeliveries',
  explainDelivery: 'runhook_explainDelivery',
  sendTestDelivery: 'runhook_sendTestDelivery',
} as const;

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
  deliveriesFiltered: 'runhook.deliveriesFiltered',
  projectsFiltered: 'runhook.projectsFiltered',
  projectAdded: 'runhook.projectAdded',
  tokenSet: 'runhook.tokenSet',
  settingApplied: 'runhook.settingApplied',
  deliveryReceived: 'runhook.deliveryReceived',
} as const;

/** The walkthrough of the welcome page. */
export const walkthroughId = 'runhook.start';

/** The type of the settings form's webview panel. */
export const appSettingsViewType = 'runhook.appSettings';

/** The language of the output channel *Runhook Deliveries*. */
export const deliveriesLanguageId = 'runhook-deliveries';
