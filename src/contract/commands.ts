import * as v from 'valibot';
import {
  about,
  type CommandRow,
  editorContext,
  editorTitle,
  field,
  inSubmenu,
  named,
  row,
  type Submenu,
  title,
} from './commandRow.ts';
import { appSchema, projectSchema, serviceAccountSchema } from './project.ts';
import {
  agePattern,
  copyFormats,
  headerName,
  sandboxFaults,
  statusPattern,
  verdicts,
  verificationTargetIds,
} from './values.ts';

const hasProject = 'runhook.projectAdded || runhook.sandboxRunning';
const payloadFile = String.raw`resourceFilename =~ /\.payload\.json$/`;
const answerDocument = String.raw`resourceScheme == runhook-answer && resourcePath =~ /^\/runhook\/response\// && resource not in runhook.removedResponses`;
const deliveryDocument = String.raw`resourceScheme == runhook-delivery && resourcePath =~ /^\/runhook\/[^\/]+\/delivery\// && resource not in runhook.removedDeliveries`;
const documentOfRun = `${deliveryDocument} && resource in runhook.deliveriesOfRuns`;
const handedDocument = `${deliveryDocument} && resource in runhook.handedDeliveries`;
const responseDocument = String.raw`resourceScheme == runhook-delivery && resourcePath =~ /^\/runhook\/[^\/]+\/response\// && resource not in runhook.removedDeliveries`;
const draftDocument = String.raw`resourceScheme == runhook-delivery && resourcePath =~ /^\/runhook\/[^\/]+\/draft\//`;

const text = v.pipe(v.string(), v.nonEmpty());
const id = v.pipe(v.string(), v.trim(), v.nonEmpty());
const address = v.pipe(v.string(), v.trim());
const stringMap = v.record(v.string(), v.string());

const projectId = field(v.string(), 'The id of the project.');
const account = { projectId, serviceAccountId: field(v.string(), 'The id of the service account.') };
const appId = field(v.string(), 'The id of the app.');
const appName = field(v.string(), 'The name of the app; its id if it has no name.');
const shownName = field(v.string(), 'A name to show; by default the id.');
const token = field(v.string(), 'The token. It goes into the secret store of the editor.');
const confirmed = field(v.boolean(), 'Asks for no confirmation: the user has agreed already.');
const signal = field(v.unknown(), 'An `AbortSignal` of a caller within the editor.');
const runSignal = field(v.unknown(), 'An `AbortSignal` of a caller within the editor: cancels the run.');
const file = field(
  v.string(),
  'A file: its address, its path, or its path within the workspace. By default the one in front.',
);
const port = field(
  v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(65535)),
  'The port to listen on; 0 for any that is free.',
);
const forwardedApp = field(text, 'The name of the app whose deliveries go there; by default all others.');
const sentTo = field(v.pipe(v.string(), v.trim(), v.nonEmpty()), 'The address that it is sent to.');
/** What a filter of deliveries looks for. */
const searched = v.pipe(v.string(), v.nonEmpty(), v.maxLength(10_000));

const oneRun = v.object({ id: v.optional(v.string()) });
const oneDelivery = v.object({ id: field(v.string(), 'The id of the delivery.') });

/** A delivery that was made here, and how the listener answered each attempt to deliver it. */
const madeDelivery = v.object({
  id: v.string(),
  attempts: v.array(v.object({ status: v.optional(v.number()), error: v.optional(v.string()) })),
});
/** The answer of a run, and what is known of the run. */
const runAnswer = v.object({
  status: v.number(),
  headers: stringMap,
  id: v.string(),
  runId: v.optional(v.string()),
  notDelivered: v.optional(v.string()),
  body: v.unknown(),
  bodyText: v.optional(v.string()),
  bodyEncoding: v.optional(v.literal('base64')),
  deliveredHere: v.optional(madeDelivery),
});
const sent = { status: v.number(), durationMs: v.number() };

/** The commands of each feature, by their ids without the leading `runhook.`. */
export const commands = {
  projects: {
    addProject: {
      title: 'Add Project…',
      icon: 'add',
      argument: v.object({
        id: field(id, 'The id of the project.'),
        name: shownName,
        baseUrl: field(
          address,
          'The address of the management API of this project, in place of `runhook.baseUrl`.',
        ),
        proxyUrl: field(address, 'The address that apps are run at, in place of `runhook.proxyUrl`.'),
        serviceAccounts: v.optional(about(v.array(serviceAccountSchema), 'Its service accounts.'), []),
        apps: v.optional(
          about(v.array(appSchema), 'Its apps: the `id` for the settings, the `name` for the path of a run.'),
          [],
        ),
      }),
      returns: about(
        v.object({
          ...projectSchema.entries,
          serviceAccounts: v.array(serviceAccountSchema),
          apps: v.array(appSchema),
        }),
        'the project.',
      ),
      menus: [title('projects', 'navigation@1')],
    },
    removeProject: {
      title: 'Remove Project',
      palette: false,
      published: true,
      argument: v.object({ projectId: field(id, 'The id of the project.') }),
      menus: [row('projects', /^project kept/, '9_change@5')],
    },
    addServiceAccount: {
      title: 'Add Service Account…',
      icon: 'add',
      palette: false,
      published: true,
      argument: v.object({
        id: field(id, 'The id of the service account.'),
        projectId: field(id, 'The id of the project.'),
        name: shownName,
        token,
        environment: field(v.string(), 'Such as `dev`, `staging` or `prod`.'),
      }),
      returns: about(serviceAccountSchema, 'the service account.'),
      menus: [row('projects', /^project kept/, ['inline@1', '1_add@1'])],
    },
    setToken: {
      title: 'Set Token…',
      icon: 'key',
      palette: hasProject,
      argument: v.object({ ...account, token }),
      returns: v.object({ expiresAt: v.optional(v.string()) }),
      menus: [
        row('projects', /^account (none|missing|elsewhere)/, 'inline@1'),
        row('projects', /^account/, '2_token@1'),
      ],
    },
    deleteToken: {
      title: 'Delete Token',
      palette: false,
      published: true,
      argument: v.object(account),
      menus: [row('projects', /^account (stored|missing|elsewhere)/, '2_token@3')],
    },
    giveTerminalsToken: {
      title: 'Give Terminals the Token',
      icon: 'terminal',
      palette: false,
      argument: v.object({ ...account, confirmed }),
      returns: v.object({ variable: v.string() }),
      menus: [row('projects', /^account stored(?!.* inTerminals )/, '2_token@4')],
    },
    takeTerminalsToken: {
      title: 'Remove the Token from Terminals',
      palette: false,
      menus: [row('projects', /^account.* inTerminals /, '2_token@4')],
    },
    useServiceAccount: {
      title: 'Use Service Account',
      icon: 'check',
      palette: false,
      published: true,
      argument: v.object(account),
      menus: [row('projects', /^account \w+ idle/, ['inline@1', '1_use@1'])],
    },
    addApp: {
      title: 'Add App…',
      icon: 'add',
      palette: false,
      published: true,
      argument: v.object({
        id: field(id, 'The id of the app, for its settings.'),
        projectId: field(id, 'The id of the project.'),
        name: field(v.string(), 'The name of the app, for the path of a run; by default the id.'),
      }),
      returns: about(appSchema, 'the app.'),
      menus: [
        row('projects', /^project kept/, '1_add@2'),
        row('projects', /^apps kept/, ['inline@1', '1_add@1']),
      ],
    },
    removeServiceAccount: {
      title: 'Remove Service Account',
      palette: false,
      argument: v.object({ projectId: v.optional(id), serviceAccountId: v.optional(id) }),
      menus: [row('projects', /^account .*kept$/, '9_change@4')],
    },
    removeApp: {
      title: 'Remove App',
      palette: false,
      argument: v.object({ projectId: v.optional(id), appId: v.optional(id) }),
      menus: [row('projects', /^app kept/, '9_change@4')],
    },
    rename: {
      title: 'Rename…',
      palette: false,
      argument: v.object({
        projectId: v.string(),
        serviceAccountId: v.optional(id),
        appId: v.optional(id),
        name: v.optional(v.string()),
      }),
      menus: [row('projects', /^(project kept|account .*kept$|app kept)/, '9_change@1')],
    },
    setEnvironment: {
      title: 'Set Environment…',
      palette: false,
      argument: v.object({
        projectId: v.optional(id),
        serviceAccountId: v.optional(id),
        environment: v.optional(v.string()),
      }),
      menus: [row('projects', /^account .*kept$/, '9_change@2')],
    },
    setProjectAddresses: {
      title: 'Set Project Addresses…',
      palette: false,
      argument: v.object({
        projectId: v.optional(v.string()),
        baseUrl: v.optional(address),
        proxyUrl: v.optional(address),
      }),
      menus: [row('projects', /^project kept/, '1_add@3')],
    },
    refreshProjects: {
      title: 'Refresh Projects',
      icon: 'refresh',
      palette: false,
      published: true,
      menus: [title('projects', 'navigation@2')],
    },
    listKeys: {
      title: 'List Keys',
      palette: false,
      published: true,
      argument: v.object(account),
      // Times are ISO 8601 in UTC. The state is `revoked`, `disabled`, or the word of the service.
      returns: v.array(
        v.object({
          id: v.optional(v.string()),
          name: v.optional(v.string()),
          createdAt: v.optional(v.string()),
          expiresAt: v.optional(v.string()),
          status: v.picklist(['expired', 'expiring', 'unknown', 'valid']),
          state: v.optional(v.string()),
        }),
      ),
    },
    filterProjects: {
      title: 'Filter Keys…',
      icon: 'filter',
      palette: false,
      argument: v.object({ text: v.optional(v.string()) }),
      menus: [title('projects', '2_tokens@2')],
    },
    refreshServiceAccount: {
      title: 'Refresh Service Account',
      icon: 'refresh',
      palette: false,
      argument: v.object(account),
      menus: [
        row('projects', /^account stored/, ['inline@2', '1_use@2']),
        row('projects', /^message (failed|offline|notFound|tokenRefused)/, ['inline@1', '1_refresh@1']),
      ],
    },
    cancelRefresh: {
      title: 'Cancel Refresh',
      icon: 'debug-stop',
      palette: false,
      argument: v.object(account),
      menus: [row('projects', /^message loading/, ['inline@1', '1_refresh@1'])],
    },
    copyId: {
      title: 'Copy Id',
      palette: false,
      argument: v.object({
        projectId: v.optional(v.string()),
        serviceAccountId: v.optional(v.string()),
        appId: v.optional(v.string()),
        keyId: v.optional(v.string()),
      }),
      menus: [row('projects', /^(project|account|key known)/, '9_change@3')],
    },
    openApiKeysPage: {},
    openRawKeys: {
      argument: v.object({ projectId: v.string(), serviceAccountId: v.string() }),
    },
    showMoreKeys: {
      argument: v.object({ projectId: v.string(), serviceAccountId: v.string() }),
    },
    moveTokenToSecretStore: {
      argument: v.object({ uri: v.string(), start: v.number(), end: v.number() }),
    },
  },
  leaks: {
    findTokens: {
      title: 'Find Tokens in Workspace',
      palette: false,
      menus: [title('projects', '2_tokens@1')],
    },
    offerWebhookSecret: {},
  },
  appSettings: {
    editAppSettings: {
      title: 'Edit App Settings',
      icon: 'gear',
      palette: hasProject,
      argument: v.object({ projectId, appId }),
      menus: [row('projects', /^app\b/, ['inline@2', '1_run@4'])],
    },
    applyAppSettings: {
      title: 'Apply App Settings',
      palette: false,
      published: true,
      argument: v.object({
        projectId,
        appId,
        signal,
        settings: field(v.unknown(), 'What to change: the names and limits of the settings form.'),
        confirmed,
      }),
      returns: v.object({ applied: named('AppSettings') }),
      inConfigurations: { task: 'apply' },
    },
    applySettingsFile: {
      title: 'Apply Settings File',
      palette: String.raw`resourceFilename =~ /\.runhook\.json$/`,
      argument: v.object({ signal, file }),
      returns: v.object({ applied: named('AppSettings') }),
      inConfigurations: { task: 'apply' },
    },
    openSettingsFile: {
      argument: v.object({ file }),
    },
  },
  run: {
    runApp: {
      title: 'Run App…',
      icon: 'play',
      palette: hasProject,
      argument: v.object({
        projectId,
        appName,
        path: v.optional(
          about(v.string(), "What follows the app's name in the address; by default `run`."),
          'run',
        ),
        method: v.optional(about(v.string(), 'The HTTP method; by default `POST`.'), 'POST'),
        headers: v.optional(about(stringMap, 'Headers to send besides those that Runhook sets.'), {}),
        body: field(v.unknown(), 'What the app is called with: any value of JSON.'),
        webhook: v.optional(
          about(
            v.union([v.boolean(), v.string()]),
            'Whether the response is also delivered: to the listener, or to this address. `"here"`: run without a webhook, the delivery is made here from the response.',
          ),
          false,
        ),
        secret: field(
          v.union([v.string(), v.literal(false)]),
          'Signs the webhook of this run in place of the secret that is kept; `false` leaves it unsigned.',
        ),
        confirmed,
        quiet: field(v.boolean(), 'Opens no response.'),
        signal: runSignal,
      }),
      returns: runAnswer,
      inConfigurations: { task: 'run' },
      menus: [row('projects', /^app\b/, '1_run@2')],
    },
    // Three for one button, since the title of a command is fixed: its tooltip says how the app is run, the way it last was.
    runPayload: {
      title: 'Run',
      icon: 'play',
      palette: false,
      argument: v.object({ projectId, appName }),
      menus: [row('projects', /^app \w+ plain\b/, ['inline@1', '1_run@1'])],
    },
    runPayloadWithWebhook: {
      title: 'Run with Webhook',
      icon: 'play',
      palette: false,
      argument: v.object({ projectId, appName }),
      menus: [row('projects', /^app \w+ webhook\b/, ['inline@1', '1_run@1'])],
    },
    runPayloadAndDeliverHere: {
      title: 'Run and Deliver Here',
      icon: 'play',
      palette: false,
      argument: v.object({ projectId, appName }),
      menus: [row('projects', /^app \w+ here\b/, ['inline@1', '1_run@1'])],
    },
    openPayload: {
      title: 'Open Payload',
      icon: 'play',
      palette: false,
      argument: v.object({ projectId, appName, name: v.optional(v.string()), file: v.optional(v.string()) }),
      menus: [row('projects', /^app\b/, '1_run@3'), row('projects', /^payload /, '1_run@2')],
    },
    runFile: {
      title: 'Run App with This File',
      icon: 'play',
      palette:
        'editorLangId =~ /^jsonc?$/ && resourceScheme != runhook-delivery && (runhook.projectAdded || runhook.sandboxRunning)',
      argument: v.object({
        projectId,
        appName,
        file,
        webhook: field(v.boolean(), 'Whether the response is also delivered to the listener.'),
        confirmed,
        quiet: field(v.boolean(), 'Opens no response, and does not ask how to run.'),
        signal: runSignal,
      }),
      returns: runAnswer,
      inConfigurations: { task: 'run' },
      menus: [
        row('projects', /^payload /, ['inline@1', '1_run@1']),
        editorTitle(payloadFile, 'navigation'),
        editorContext('resourceLangId == json && resourceScheme != runhook-delivery', 'runhook'),
      ],
    },
    copyRunAs: {
      title: 'Copy Run As…',
      palette: false,
      argument: v.object({
        id: field(
          v.string(),
          'The run; the payload in front, or the last run, if neither it nor a file is given.',
        ),
        file: field(v.string(), 'A payload file: the run that it would make is copied, not sent.'),
        projectId,
        appName,
        as: v.optional(v.picklist(copyFormats)),
        confirmed: field(
          v.boolean(),
          'Does not ask before it copies values of the environment that the file reads.',
        ),
      }),
      menus: [
        row('projects', /^payload /, '2_copy@1'),
        row('projects', /^run/, '2_answer@4'),
        editorTitle(payloadFile, '1_payload@5'),
      ],
    },
    runAgain: {
      title: 'Run Again',
      icon: 'debug-restart',
      palette: hasProject,
      argument: v.object({
        id: field(v.string(), "Runhook's id of the run; by default the last run."),
      }),
      returns: runAnswer,
      menus: [
        row('projects', /^run\b(?! going)/, ['inline@2', '1_run@1']),
        row('projects', /^run going/, '1_run@2'),
        editorTitle(answerDocument, 'navigation@1'),
        editorContext(answerDocument, 'runhook@1'),
      ],
    },
    deliverHere: {
      title: 'Deliver Here',
      icon: 'edit',
      palette: false,
      published: true,
      argument: v.object({
        id: field(v.string(), "The run, by Runhook's id or by that of the service; by default the last run."),
      }),
      returns: madeDelivery,
      menus: [row('projects', /^run answered/, '1_run@3'), editorTitle(answerDocument, '1_answer@1')],
    },
    cancelRun: {
      title: 'Cancel Run',
      icon: 'stop-circle',
      palette: 'runhook.runActive',
      argument: v.object({
        id: field(
          v.string(),
          "Runhook's id of the run; by default every run. In the palette the user picks, if there are several.",
        ),
      }),
      returns: about(v.number(), 'how many were cancelled.'),
      menus: [row('projects', /^run going/, ['inline@1', '1_run@1'])],
    },
    openRunDelivery: {
      title: 'Open Delivery of Run',
      icon: 'go-to-file',
      palette: false,
      argument: oneRun,
      menus: [
        row('projects', /^run\b.* delivered/, ['inline@1', '1_run@2']),
        editorTitle(answerDocument, '1_answer@2'),
        editorContext(answerDocument, 'runhook@2'),
      ],
    },
    openPayloadAndAnswer: {
      title: 'Open Payload and Response',
      palette: false,
      argument: oneRun,
      menus: [row('projects', /^run/, '2_answer@1')],
    },
    compareWithPreviousRun: {
      title: 'Compare with Previous Run',
      icon: 'diff',
      palette: false,
      argument: oneRun,
      menus: [
        row('projects', /^run answered/, '2_answer@2'),
        editorTitle(answerDocument, 'navigation@2'),
        editorContext(answerDocument, 'runhook@3'),
      ],
    },
    saveAnswerAs: {
      title: 'Save Response As…',
      icon: 'save-as',
      palette: false,
      argument: v.object({ ...oneRun.entries, to: v.optional(v.string()), confirmed }),
      menus: [
        row('projects', /^run\b(?! going).* received/, '2_answer@3'),
        editorTitle(answerDocument, 'navigation@3'),
        editorContext(answerDocument, 'runhook@4'),
      ],
    },
    clearRuns: {
      title: 'Clear Runs',
      palette: false,
      argument: v.object({ projectId, appName, id: field(v.string(), 'A run of the app.'), confirmed }),
      menus: [row('projects', /^run/, '9_runs@1')],
    },
    // The link `…` above the response of a run: asks which of the other commands.
    moreOfRun: {
      argument: oneRun,
    },
    setTokenOfRun: {
      argument: oneRun,
    },
    // A delivery stands for its run.
    openRunAnswer: {
      title: 'Open Run',
      palette: false,
      argument: oneRun,
      menus: [
        row('deliveries', /^delivery:.* run\b/, '1_open@5', '!listDoubleSelection'),
        editorTitle(documentOfRun, '1_delivery@8'),
        editorContext(documentOfRun, 'runhook@9'),
      ],
    },
  },
  listener: {
    startListener: {
      title: 'Start Webhook Listener',
      icon: 'play',
      palette: '!runhook.listenerRunning',
      argument: v.object({ port }),
      returns: v.object({ port: v.number(), url: v.string(), publicUrl: v.optional(v.string()) }),
      inConfigurations: { command: 'listenerUrl' },
      menus: [row('deliveries', /^listener stopped/, ['inline@1', '1_start@1'])],
    },
    stopListener: {
      title: 'Stop Webhook Listener',
      icon: 'debug-stop',
      palette: 'runhook.listenerRunning',
    },
    listenerUrl: {
      title: 'Get Listener Address',
      palette: false,
      published: true,
      returns: v.string(),
    },
    showOutput: {
      title: 'Show Deliveries Output',
      icon: 'output',
    },
    setForwardTo: {
      title: 'Forward to…',
      icon: 'arrow-right',
      argument: v.object({
        to: field(v.string(), 'The address; empty to keep deliveries without forwarding them.'),
        app: forwardedApp,
      }),
      returns: about(v.object({ to: v.string() }), 'the address; empty for none.'),
      menus: [title('deliveries', 'navigation@3')],
    },
    setWebhookSecret: {
      title: 'Set Webhook Secret…',
      argument: v.object({ projectId, appName, secret: field(v.string(), 'The webhook secret.') }),
      menus: [inSubmenu('runhook.secretOfApp', '1_secret@1')],
    },
    rotateWebhookSecret: {
      title: 'Rotate Webhook Secret',
      palette: false,
      published: true,
      argument: v.object({ projectId, appName }),
      menus: [inSubmenu('runhook.secretOfApp', '1_secret@2')],
    },
    copyWebhookSecret: {
      title: 'Copy Webhook Secret',
      argument: v.object({ projectId, appName }),
      inConfigurations: { command: 'webhookSecret' },
      menus: [inSubmenu('runhook.secretOfApp', '1_secret@3')],
    },
    webhookSecret: {
      title: 'Get Webhook Secret',
      palette: false,
      published: true,
      argument: v.object({ projectId, appName }),
      returns: v.string(),
    },
    giveTerminalsWebhookSecret: {
      title: 'Give Terminals the Webhook Secret…',
      palette: false,
      argument: v.object({ projectId, appName, variable: v.optional(v.string()) }),
      menus: [inSubmenu('runhook.secretOfApp', '2_give@1')],
    },
    takeTerminalsWebhookSecret: {
      title: 'Remove the Webhook Secret from Terminals',
      palette: false,
      menus: [inSubmenu('runhook.secretOfApp', '2_give@1', 'runhook.terminalsHaveSecret')],
    },
    writeWebhookSecret: {
      title: 'Write Webhook Secret to .env…',
      palette: false,
      argument: v.object({
        projectId,
        appName,
        variable: v.optional(v.string()),
        file: v.optional(v.string()),
      }),
      menus: [inSubmenu('runhook.secretOfApp', '2_give@2')],
    },
    removeWebhookSecret: {
      title: 'Remove Webhook Secret',
      palette: false,
      argument: v.object({ projectId, appName }),
      menus: [
        inSubmenu('runhook.secretOfApp', '1_secret@4', 'viewItem =~ / secret$/'),
        row('projects', /^project .*secret$/, '9_change@4'),
      ],
    },
    setNextResponses: {
      title: 'Set Next Responses…',
      palette: 'runhook.listenerRunning',
      argument: v.object({
        response: about(
          v.union([
            v.pipe(v.number(), v.integer(), v.minValue(200), v.maxValue(599)),
            v.picklist(['hang', 'drop']),
          ]),
          'What the listener returns: a status, no response, or a closed connection.',
        ),
        times: about(v.pipe(v.number(), v.integer(), v.minValue(0)), 'For how many deliveries.'),
      }),
    },
  },
  deliveries: {
    listDeliveries: {
      title: 'List Deliveries',
      palette: false,
      published: true,
      argument: v.object({
        limit: field(v.pipe(v.number(), v.integer(), v.minValue(0)), 'How many at most.'),
      }),
      returns: about(v.array(named('Delivery')), 'the newest first.'),
    },
    openDelivery: {
      title: 'Open Delivery',
      icon: 'go-to-file',
      palette: false,
      published: true,
      argument: oneDelivery,
      menus: [
        // A click on the row of another opens it.
        row('deliveries', /^delivery:\w+ failed/, '1_open@1'),
        editorContext(responseDocument, 'runhook@2'),
      ],
    },
    compareDeliveries: {
      title: 'Compare',
      palette: false,
      argument: v.object({ ...oneDelivery.entries, ids: v.optional(v.array(v.string())) }),
      menus: [row('deliveries', /^delivery:/, '1_open@4', 'listDoubleSelection')],
    },
    compareResponses: {
      title: 'Compare with Previous Response',
      palette: false,
      argument: v.object({ ...oneDelivery.entries, at: v.optional(v.string()) }),
      menus: [row('deliveries', /^attempt$/, '1_open@3')],
    },
    compareWithPrevious: {
      title: 'Compare with Previous Delivery',
      palette: false,
      argument: oneDelivery,
      menus: [editorTitle(deliveryDocument, '1_delivery@2'), editorContext(deliveryDocument, 'runhook@5')],
    },
    explainDelivery: {
      title: 'Explain Delivery',
      icon: 'question',
      argument: oneDelivery,
      returns: about(v.string(), 'the explanation.'),
      menus: [
        row('deliveries', /^delivery:refused/, 'inline@1'),
        row('deliveries', /^delivery:/, '1_open@3'),
        editorTitle(deliveryDocument, 'navigation@3'),
        editorContext(deliveryDocument, 'runhook@3'),
        editorContext(responseDocument, 'runhook@3'),
      ],
    },
    copyDeliveryAsCurl: {
      title: 'Copy Delivery as cURL',
      palette: false,
      published: true,
      argument: oneDelivery,
      returns: about(v.string(), 'the command line.'),
      menus: [
        row('deliveries', /^delivery:/, '3_keep@1'),
        editorTitle(deliveryDocument, '1_delivery@3'),
        editorContext(deliveryDocument, 'runhook@6'),
      ],
    },
    saveDeliveryAsFixture: {
      title: 'Save Delivery as Fixture…',
      palette: false,
      published: true,
      argument: oneDelivery,
      returns: about(v.string(), 'the address of the file.'),
      menus: [row('deliveries', /^delivery:/, '3_keep@2')],
    },
    replayDelivery: {
      title: 'Replay',
      icon: 'debug-restart',
      palette: false,
      published: true,
      argument: v.object({
        ...oneDelivery.entries,
        body: field(v.unknown(), 'A text as it is to be sent; any other value of JSON is written as a text.'),
        headers: field(
          v.record(v.string(), v.nullable(v.string())),
          'Each replaces those of that name; null removes them.',
        ),
        to: sentTo,
        resign: field(
          v.boolean(),
          'Whether it is signed now, with the secret that is kept here. By default only if a handler would reject the original signature by now: past the tolerance, or after a rotation. What is edited, or never verified, is not.',
        ),
      }),
      returns: v.object({ headers: stringMap, body: v.string(), ...sent }),
      menus: [
        row('deliveries', /^delivery:/, 'inline@2'),
        row('deliveries', /^delivery:/, '2_replay@1', '!listMultiSelection'),
        editorTitle(deliveryDocument, 'navigation@1'),
        editorContext(deliveryDocument, 'runhook@1'),
        editorContext(responseDocument, 'runhook@1'),
      ],
    },
    replayDeliveryAs: {
      title: 'Replay…',
      argument: oneDelivery,
      menus: [
        row('deliveries', /^delivery:/, '2_replay@2', '!listMultiSelection'),
        editorTitle(deliveryDocument, '1_delivery@5'),
        editorContext(deliveryDocument, 'runhook@8'),
      ],
    },
    editDelivery: {
      title: 'Edit and Replay',
      icon: 'edit',
      palette: false,
      argument: v.object({
        ...oneDelivery.entries,
        startOver: field(v.boolean(), 'Whether it is edited as it came, and not as it was edited last.'),
      }),
      menus: [
        row('deliveries', /^delivery:/, '2_replay@4', '!listMultiSelection'),
        editorTitle(deliveryDocument, 'navigation@2'),
        editorContext(deliveryDocument, 'runhook@2'),
      ],
    },
    sendDraftSigned: {
      title: 'Send, Signed Now',
      icon: 'send',
      palette: false,
      argument: oneDelivery,
      menus: [editorTitle(draftDocument, 'navigation@1'), editorContext(draftDocument, 'runhook@1')],
    },
    sendDraftUnsigned: {
      title: 'Send Unsigned',
      icon: 'unlock',
      palette: false,
      argument: oneDelivery,
      menus: [editorTitle(draftDocument, 'navigation@2'), editorContext(draftDocument, 'runhook@2')],
    },
    saveDraftAsFixture: {
      title: 'Save as Fixture…',
      icon: 'save-as',
      palette: false,
      argument: oneDelivery,
      menus: [editorTitle(draftDocument, 'navigation@3'), editorContext(draftDocument, 'runhook@3')],
    },
    clearDeliveries: {
      title: 'Clear Deliveries',
      icon: 'clear-all',
      palette: false,
      published: true,
    },
    openDeliveryBody: {
      title: 'Open Raw Body of Delivery',
      icon: 'file-binary',
      palette: false,
      argument: oneDelivery,
      menus: [editorTitle(deliveryDocument, '1_delivery@6')],
    },
    openAppAnswer: {
      title: 'Open Response',
      icon: 'reply',
      palette: false,
      argument: v.object({
        ...oneDelivery.entries,
        at: field(v.string(), 'The attempt of that time; by default the last.'),
      }),
      menus: [
        row('deliveries', /^(delivery:(?!\w+ failed).* handed|attempt.*)$/, '1_open@2'),
        editorTitle(handedDocument, '1_delivery@1'),
        editorContext(handedDocument, 'runhook@4'),
      ],
    },
    replayDeliveries: {
      title: 'Replay Deliveries…',
      palette: false,
      argument: v.object({
        ids: v.optional(v.array(v.string())),
        since: field(v.string(), 'The first of a range that ends with the newest.'),
        failed: v.optional(v.boolean()),
        to: sentTo,
        resign: v.optional(v.boolean()),
      }),
      menus: [
        title('deliveries', '1_send@1'),
        row('deliveries', /^delivery:/, '2_replay@3', 'listMultiSelection'),
      ],
    },
    filterDeliveries: {
      title: 'Filter Deliveries…',
      icon: 'filter',
      palette: false,
      argument: v.object({
        query: v.optional(v.pipe(v.string(), v.maxLength(10_000))),
        verdict: v.optional(v.picklist(verdicts)),
        made: v.optional(v.literal('here')),
        app: v.optional(v.string()),
        run: field(
          v.union([searched, v.pipe(v.array(searched), v.maxLength(100))]),
          'How the id of the run begins; any of several.',
        ),
        status: v.optional(v.pipe(v.string(), v.regex(statusPattern))),
        header: v.optional(
          v.object({ name: v.pipe(v.string(), v.regex(headerName)), value: v.optional(searched) }),
        ),
        failed: v.optional(v.literal(true)),
        refused: v.optional(v.literal(true)),
        since: v.optional(v.pipe(v.string(), v.regex(agePattern))),
        text: v.optional(searched),
      }),
      menus: [title('deliveries', 'navigation@1')],
    },
    clearDeliveryFilter: {
      title: 'Clear Delivery Filter',
      icon: 'filter-filled',
      palette: false,
      menus: [title('deliveries', 'navigation@2', 'runhook.deliveriesFiltered')],
    },
    sendFixture: {
      title: 'Send Fixture…',
      palette: 'workspaceFolderCount > 0',
      argument: v.object({
        uri: field(text, "The file's address; a path of this machine will do."),
        to: sentTo,
        resign: v.optional(
          about(
            v.boolean(),
            'Whether it is signed now, with the secret that is kept, since its own signature grows stale. By default true.',
          ),
          true,
        ),
        signal,
      }),
      returns: v.object({ headers: stringMap, body: v.string(), ...sent }),
      inConfigurations: { task: 'send' },
      menus: [title('deliveries', '1_send@3')],
    },
    verifySignature: {
      title: 'Verify a Signature',
      argument: v.object({
        headers: field(stringMap, 'The headers of the request.'),
        body: v.optional(about(v.string(), 'The body of the request, as it came.'), ''),
        secret: field(text, 'The secret to verify with.'),
      }),
      returns: about(v.string(), 'the explanation.'),
      menus: [title('deliveries', '2_verify@1')],
    },
    insertVerificationCode: {
      title: 'Insert Verification Code…',
      argument: v.object({
        target: v.optional(about(v.picklist(verificationTargetIds), 'What the code is for.')),
        newFile: field(v.boolean(), 'Opens it as a new file, even if a file of its language is open.'),
      }),
      menus: [title('deliveries', '2_verify@2')],
    },
    askToClearDeliveries: {
      title: 'Clear Deliveries',
      icon: 'clear-all',
      palette: false,
      menus: [title('deliveries', 'navigation@4')],
    },
    sendTestDelivery: {
      title: 'Send Test Delivery',
      argument: v.object({
        to: sentTo,
        body: field(v.unknown(), 'The body: any value of JSON.'),
        secret: field(text, 'Signs it in place of the secret that is kept.'),
      }),
      returns: v.object(sent),
      menus: [title('deliveries', '1_send@2')],
    },
    createFixtures: {
      title: 'Create Fixtures for This App',
      palette: false,
      argument: v.object({
        id: field(
          v.string(),
          'The delivery whose shape they get; by default the last one of the app that verified.',
        ),
        appName: v.optional(text),
      }),
      menus: [row('projects', /^app\b/, '2_handler@1')],
    },
    loadMoreDeliveries: {},
  },
  debug: {
    debugHandler: {
      title: 'Debug a Handler…',
      palette: 'workspaceFolderCount > 0',
      argument: v.object({
        file: field(
          text,
          'The file that starts your handler: its address, its path, or its path within the workspace.',
        ),
        to: field(text, 'The address at which your handler takes webhooks: deliveries are forwarded there.'),
        app: forwardedApp,
      }),
      returns: about(v.object({ name: v.string() }), 'the name of the configuration that was started.'),
      menus: [title('deliveries', '2_verify@3')],
    },
    debugDelivery: {
      title: 'Debug This Delivery',
      icon: 'debug-alt',
      palette: false,
      published: true,
      argument: v.object({
        ...oneDelivery.entries,
        configuration: field(
          text,
          'The name of the launch configuration that starts the handler. By default the one that was chosen last for the app; the user is asked if there is none, or if there are others and it did not start or listen.',
        ),
      }),
      returns: about(
        v.object({ session: v.string() }),
        'the name of the debug session, once your handler listens under the debugger and the delivery was sent.',
      ),
      menus: [
        row('deliveries', /^delivery:verified/, '2_replay@3', '!listMultiSelection'),
        editorTitle(deliveryDocument, '1_delivery@7'),
      ],
    },
  },
  failures: {
    openFailure: {
      title: 'Open the Line That Failed',
      icon: 'go-to-file',
      palette: false,
      published: true,
      argument: v.object({
        ...oneDelivery.entries,
        at: field(v.string(), 'The attempt of that time; by default the last that failed.'),
      }),
      returns: about(
        v.object({
          file: v.string(),
          line: v.number(),
          column: v.exactOptional(v.number()),
          message: v.string(),
        }),
        'the line of your handler and, where the runtime tells it, the column, both from 1, and what it says about its failure.',
      ),
      menus: [row('deliveries', /^failure$/, '1_open@1')],
    },
  },
  timeline: {
    showTimeline: {
      title: 'Show Timeline',
      palette: false,
      argument: v.object({
        delivery: v.optional(v.string()),
        run: v.optional(v.string()),
        app: v.optional(v.object({ projectId: v.string(), appName: v.string() })),
        // What the rows of apps, runs and deliveries pass.
        projectId,
        appName,
        id: v.optional(v.string()),
      }),
      menus: [
        row('projects', /^(run|app\b)/, '1_run@5'),
        editorTitle(deliveryDocument, '1_delivery@4'),
        editorContext(deliveryDocument, 'runhook@7'),
      ],
    },
  },
  tunnels: {
    openTunnel: {
      title: 'Open Tunnel',
      icon: 'globe',
      palette: '!runhook.tunnelOpen && !config.runhook.listener.publicUrl',
      argument: v.object({
        provider: field(
          v.picklist(['cloudflared', 'ngrok', 'codespaces', 'relay']),
          'What opens the tunnel.',
        ),
        confirmed,
      }),
      returns: v.object({ publicUrl: v.string() }),
    },
    closeTunnel: {
      title: 'Close Tunnel',
      icon: 'debug-stop',
      palette: 'runhook.tunnelOpen',
    },
    checkPublicUrl: {
      title: 'Check Public URL',
      icon: 'pulse',
      palette: 'runhook.tunnelOpen || config.runhook.listener.publicUrl',
      returns: v.object({
        ok: v.boolean(),
        hops: v.array(
          v.object({
            hop: v.picklist([
              'address',
              'body',
              'clock',
              'connection',
              'listener',
              'path',
              'requestId',
              'signature',
            ]),
            ok: v.boolean(),
            detail: v.string(),
          }),
        ),
      }),
    },
  },
  sandbox: {
    startSandbox: {
      title: 'Start Sandbox',
      icon: 'play',
      palette: '!runhook.sandboxRunning',
      argument: v.object({ port }),
      returns: v.object({
        baseUrl: v.string(),
        proxyUrl: v.string(),
        projectId: v.string(),
        serviceAccountId: v.string(),
        apps: v.array(v.object({ id: v.string(), name: v.string() })),
        serviceAccounts: v.array(v.object({ id: v.string(), name: v.string(), environment: v.string() })),
      }),
      inConfigurations: { task: 'sandbox' },
      menus: [
        title('projects', '1_sandbox@1', '!runhook.sandboxRunning'),
        row('projects', /^sandbox stopped/, ['inline@1', '1_sandbox@4']),
      ],
    },
    stopSandbox: {
      title: 'Stop Sandbox',
      icon: 'debug-stop',
      palette: 'runhook.sandboxRunning',
      menus: [row('projects', /^project transient/, ['inline@1', '1_sandbox@3'])],
    },
    resetSandbox: {
      title: 'Reset Sandbox',
      icon: 'discard',
      enablement: 'runhook.sandboxRunning',
      palette: false,
      menus: [row('projects', /^project transient/, '1_sandbox@2')],
    },
    setSandboxFaults: {
      title: 'Simulate Sandbox Faults…',
      icon: 'bug',
      enablement: 'runhook.sandboxRunning',
      palette: 'runhook.sandboxRunning',
      argument: v.object({
        faults: field(
          v.array(v.picklist(sandboxFaults)),
          'How the sandbox misbehaves, all at once; an empty list turns faults off.',
        ),
      }),
      returns: v.object({ faults: v.array(v.picklist(sandboxFaults)) }),
      menus: [row('projects', /^project transient/, '1_sandbox@1')],
    },
    copyNewSandboxToken: {
      title: 'Copy New Sandbox Token',
      enablement: 'runhook.sandboxRunning',
      palette: false,
      argument: v.object(account),
      menus: [row('projects', /^account .*transient$/, '2_token@4')],
    },
  },
  log: {
    showLog: {
      title: 'Show Log',
    },
  },
  walkthrough: {
    openWalkthrough: {
      title: 'Open Walkthrough',
      palette: false,
      menus: [title('projects', '3_help@1')],
    },
    breakDelivery: {},
  },
  reset: {
    reset: {
      title: 'Reset Runhook',
      argument: v.object({ confirmed }),
      returns: about(
        v.object({ settings: v.array(v.string()) }),
        'the settings of Runhook that are set, and stay.',
      ),
    },
  },
} as const satisfies Record<string, Record<string, CommandRow>>;

/** The menus within menus of rows. */
export const submenus: readonly Submenu[] = [
  {
    id: 'runhook.secretOfApp',
    title: 'Webhook Secret',
    menus: [row('projects', /^app\b/, '2_handler@2')],
  },
];

type Table = typeof commands;
export type Feature = keyof Table;
export type CommandName = { [F in Feature]: keyof Table[F] }[Feature];
export type CommandId = `runhook.${CommandName}`;

/** The row of a command, as the compiler knows it. */
export type RowOf<Name extends CommandName> = {
  [F in Feature]: Name extends keyof Table[F] ? Table[F][Name] : never;
}[Feature];

/** The argument of a command once it is read, with the defaults of its schema. */
export type Argument<Name extends CommandName> =
  RowOf<Name> extends { argument: infer Schema extends v.GenericSchema } ? v.InferOutput<Schema> : object;

/** What a command gives. */
export type Result<Name extends CommandName> =
  RowOf<Name> extends { returns: infer Schema extends v.GenericSchema } ? v.InferInput<Schema> : unknown;

/** A row of the table, with where it stands. */
export interface Command extends CommandRow {
  feature: Feature;
  name: CommandName;
  id: CommandId;
}

/** All commands, feature by feature. */
export const allCommands: readonly Command[] = (Object.keys(commands) as Feature[]).flatMap((feature) =>
  Object.entries<CommandRow>(commands[feature]).map(([key, row]) => {
    const name = key as CommandName;
    return { ...row, feature, name, id: `runhook.${name}` as const };
  }),
);

/** The id of each command by its name. */
export const commandIds = Object.fromEntries(allCommands.map(({ name, id }) => [name, id])) as {
  readonly [Name in CommandName]: `runhook.${Name}`;
};

export const commandsById = Object.fromEntries(
  allCommands.map((command) => [command.id, command]),
) as Readonly<Record<CommandId, Command>>;
