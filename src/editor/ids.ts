/**
 * The commands of each feature. A command added here needs a handler (`CommandLoaders`), and is declared in
 * package.json, unless only Runhook itself runs it: by a line of a view, a link or a quick fix.
 */
export const commandIdsOf = {
  projects: {
    addProject: 'runhook.addProject',
    removeProject: 'runhook.removeProject',
    addServiceAccount: 'runhook.addServiceAccount',
    useServiceAccount: 'runhook.useServiceAccount',
    addApp: 'runhook.addApp',
    removeServiceAccount: 'runhook.removeServiceAccount',
    removeApp: 'runhook.removeApp',
    rename: 'runhook.rename',
    setEnvironment: 'runhook.setEnvironment',
    setProjectAddresses: 'runhook.setProjectAddresses',
    setToken: 'runhook.setToken',
    deleteToken: 'runhook.deleteToken',
    openApiKeysPage: 'runhook.openApiKeysPage',
    listKeys: 'runhook.listKeys',
    refreshProjects: 'runhook.refreshProjects',
    refreshServiceAccount: 'runhook.refreshServiceAccount',
    cancelRefresh: 'runhook.cancelRefresh',
    copyId: 'runhook.copyId',
    filterProjects: 'runhook.filterProjects',
    openRawKeys: 'runhook.openRawKeys',
    showMoreKeys: 'runhook.showMoreKeys',
    moveTokenToSecretStore: 'runhook.moveTokenToSecretStore',
  },
  leaks: {
    findTokens: 'runhook.findTokens',
  },
  appSettings: {
    editAppSettings: 'runhook.editAppSettings',
    applyAppSettings: 'runhook.applyAppSettings',
    applySettingsFile: 'runhook.applySettingsFile',
    openSettingsFile: 'runhook.openSettingsFile',
  },
  run: {
    runApp: 'runhook.runApp',
    runPayload: 'runhook.runPayload',
    openPayload: 'runhook.openPayload',
    runFile: 'runhook.runFile',
    runAgain: 'runhook.runAgain',
    copyRunAs: 'runhook.copyRunAs',
    openRunDelivery: 'runhook.openRunDelivery',
    openRunAnswer: 'runhook.openRunAnswer',
    openPayloadAndAnswer: 'runhook.openPayloadAndAnswer',
    compareWithPreviousRun: 'runhook.compareWithPreviousRun',
    saveAnswerAs: 'runhook.saveAnswerAs',
    clearRuns: 'runhook.clearRuns',
    cancelRun: 'runhook.cancelRun',
  },
  listener: {
    startListener: 'runhook.startListener',
    stopListener: 'runhook.stopListener',
    listenerUrl: 'runhook.listenerUrl',
    showOutput: 'runhook.showOutput',
    setForwardTo: 'runhook.setForwardTo',
    setWebhookSecret: 'runhook.setWebhookSecret',
    rotateWebhookSecret: 'runhook.rotateWebhookSecret',
    copyWebhookSecret: 'runhook.copyWebhookSecret',
    webhookSecret: 'runhook.webhookSecret',
    giveTerminalsWebhookSecret: 'runhook.giveTerminalsWebhookSecret',
    takeTerminalsWebhookSecret: 'runhook.takeTerminalsWebhookSecret',
    writeWebhookSecret: 'runhook.writeWebhookSecret',
    removeWebhookSecret: 'runhook.removeWebhookSecret',
    setNextResponses: 'runhook.setNextResponses',
  },
  deliveries: {
    listDeliveries: 'runhook.listDeliveries',
    openDelivery: 'runhook.openDelivery',
    compareDeliveries: 'runhook.compareDeliveries',
    compareWithPrevious: 'runhook.compareWithPrevious',
    openDeliveryBody: 'runhook.openDeliveryBody',
    openAppAnswer: 'runhook.openAppAnswer',
    explainDelivery: 'runhook.explainDelivery',
    copyDeliveryAsCurl: 'runhook.copyDeliveryAsCurl',
    saveDeliveryAsFixture: 'runhook.saveDeliveryAsFixture',
    createFixtures: 'runhook.createFixtures',
    clearDeliveries: 'runhook.clearDeliveries',
    askToClearDeliveries: 'runhook.askToClearDeliveries',
    replayDelivery: 'runhook.replayDelivery',
    editDelivery: 'runhook.editDelivery',
    sendDraftSigned: 'runhook.sendDraftSigned',
    sendDraftUnsigned: 'runhook.sendDraftUnsigned',
    saveDraftAsFixture: 'runhook.saveDraftAsFixture',
    replayDeliveries: 'runhook.replayDeliveries',
    sendTestDelivery: 'runhook.sendTestDelivery',
    sendFixture: 'runhook.sendFixture',
    filterDeliveries: 'runhook.filterDeliveries',
    clearDeliveryFilter: 'runhook.clearDeliveryFilter',
    loadMoreDeliveries: 'runhook.loadMoreDeliveries',
    verifySignature: 'runhook.verifySignature',
    insertVerificationCode: 'runhook.insertVerificationCode',
  },
  debug: {
    debugHandler: 'runhook.debugHandler',
  },
  timeline: {
    showTimeline: 'runhook.showTimeline',
  },
  tunnels: {
    openTunnel: 'runhook.openTunnel',
    closeTunnel: 'runhook.closeTunnel',
    checkPublicUrl: 'runhook.checkPublicUrl',
  },
  sandbox: {
    startSandbox: 'runhook.startSandbox',
    stopSandbox: 'runhook.stopSandbox',
    resetSandbox: 'runhook.resetSandbox',
    setSandboxFaults: 'runhook.setSandboxFaults',
    copyNewSandboxToken: 'runhook.copyNewSandboxToken',
  },
  log: {
    showLog: 'runhook.showLog',
  },
  walkthrough: {
    openWalkthrough: 'runhook.openWalkthrough',
    breakDelivery: 'runhook.breakDelivery',
  },
  reset: {
    reset: 'runhook.reset',
  },
} as const;

export type Feature = keyof typeof commandIdsOf;

/** The commands of one feature. */
export type CommandIdOf<F extends Feature> = F extends Feature
  ? (typeof commandIdsOf)[F][keyof (typeof commandIdsOf)[F]]
  : never;

export type CommandId = CommandIdOf<Feature>;

export const commandIds = {
  ...commandIdsOf.projects,
  ...commandIdsOf.leaks,
  ...commandIdsOf.appSettings,
  ...commandIdsOf.run,
  ...commandIdsOf.listener,
  ...commandIdsOf.deliveries,
  ...commandIdsOf.debug,
  ...commandIdsOf.timeline,
  ...commandIdsOf.tunnels,
  ...commandIdsOf.sandbox,
  ...commandIdsOf.log,
  ...commandIdsOf.walkthrough,
  ...commandIdsOf.reset,
};

/** The commands in the title of a view. All others in menus of views apply to a row. */
export const titleCommandIds: ReadonlySet<CommandId> = new Set([
  commandIds.addProject,
  commandIds.refreshProjects,
  commandIds.filterProjects,
  commandIds.startSandbox,
  commandIds.findTokens,
  commandIds.openWalkthrough,
  commandIds.setForwardTo,
  commandIds.filterDeliveries,
  commandIds.clearDeliveryFilter,
  commandIds.askToClearDeliveries,
  commandIds.replayDeliveries,
  commandIds.sendTestDelivery,
  commandIds.sendFixture,
  commandIds.verifySignature,
  commandIds.insertVerificationCode,
  commandIds.debugHandler,
]);

/** Commands not in the palette or a menu. A failure goes to the caller, even if it passes no argument. */
export const commandsForCallers: ReadonlySet<CommandId> = new Set([
  commandIds.applyAppSettings,
  commandIds.listDeliveries,
  commandIds.listKeys,
  commandIds.listenerUrl,
  commandIds.webhookSecret,
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
  explainDelivery: 'runhook_explainDelivery',
  sendTestDelivery: 'runhook_sendTestDelivery',
  replayDelivery: 'runhook_replayDelivery',
  waitForDelivery: 'runhook_waitForDelivery',
} as const;

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
  deliveriesFiltered: 'runhook.deliveriesFiltered',
  projectAdded: 'runhook.projectAdded',
  tokenSet: 'runhook.tokenSet',
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

/** Workspace state keys of the sandbox: its port, whether it ran when the window closed, its tokens' id. */
export const rememberedSandbox = {
  tokens: 'sandbox.tokens',
  port: 'sandbox.port',
  ran: 'sandbox.ran',
} as const;
