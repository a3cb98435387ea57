import { usualSecretVariable } from '../secrets/secretVariable.ts';

/** How a program reads one variable of its environment, in JavaScript, TypeScript and Python. */
const reads = [
  // process.env.X, import.meta.env.X, Bun.env['X'], os.environ["X"]
  /\b(?:env|environ)!?(?:\?\.|\.|(?:\?\.)?\[\s*["'`])([A-Za-z_]\w*)/g,
  // Deno.env.get('X'), os.environ.get("X"), env.str('X'), configService.getOrThrow<string>('X')
  /\b(?:env|environ|config\w*)!?\??\.\w+(?:<[^<>()]*>)?\(\s*(?:key\s*=\s*)?["'`]([A-Za-z_]\w*)["'`]/gi,
  // os.getenv('X'), env('X') of django-environ, config('X') of python-decouple
  /\b(?:getenv|env|config|environ)\(\s*(?:key\s*=\s*)?["'`]([A-Za-z_]\w*)["'`]/g,
];

/** `const { X, Y: y = '' } = process.env`, of any object that is called env. */
const destructured =
  /\{([^{}]*)\}\s*(?::[^=;{}]*)?=\s*(?:await\s+)?(?:[\w$]+(?:\.[\w$]+)*\.)?(?:env|environ)\b(?!\s*[.([])/g;

/** Lines that are comments alone: what they read is not read. */
const commentLine = /^[ \t]*(?:\/\/|#|\*|\/\*).*$/gm;

/** Services that send webhooks with secrets of their own. */
const otherServices = [
  /^(?:ADYEN|ALCHEMY|APPLE|ASANA|ATLASSIAN|AUTH0|AWS|BIGCOMMERCE|BITBUCKET|BRAINTREE|CALCOM)$/,
  /^(?:CALENDLY|CIRCLECI|CLERK|COINBASE|CONTENTFUL|CREEM|DATADOG|DISCORD|DOCUSIGN|DODO|DROPBOX)$/,
  /^(?:ELEVENLABS|FACEBOOK|FIREBASE|FLUTTERWAVE|GITEA|GITHUB|GITLAB|GOCARDLESS|GOOGLE|HELIUS)$/,
  /^(?:HUBSPOT|INNGEST|INSTAGRAM|INTERCOM|JIRA|KLARNA|LEMON|LEMONSQUEEZY|LINE|LINEAR|LIVEKIT)$/,
  /^(?:MAILCHIMP|MAILGUN|MESSENGER|META|MOLLIE|MUX|NETLIFY|NOTION|OKTA|OPENAI|PADDLE|PAGERDUTY)$/,
  /^(?:PAYPAL|PAYSTACK|PERSONA|PLAID|POLAR|POSTMARK|PRISMIC|RAZORPAY|REPLICATE|RESEND|RETELL)$/,
  /^(?:REVENUECAT|SANITY|SENDGRID|SENTRY|SHOPIFY|SLACK|SQUARE|STORYBLOK|STRAPI|STRIPE|SUPABASE)$/,
  /^(?:SVIX|TALLY|TELEGRAM|TRELLO|TWILIO|TWITCH|TWITTER|TYPEFORM|VAPI|VERCEL|VONAGE|WHATSAPP)$/,
  /^(?:WOOCOMMERCE|WORKOS|XERO|ZENDESK|ZOOM)$/,
];

/**
 * The environment variable that a file reads the secret from; else the one of *Insert Verification Code…*. Names that
 * do not clearly mean it are skipped, and those that name another service: the secret would be sent to that.
 */
export function readSecretVariable(text: string): string {
  const names = variablesIn(text.replaceAll(commentLine, '')).filter((name) => !isOfAnother(name));
  return (
    names.find((name) => name === usualSecretVariable) ??
    names.find((name) => /hook\w*secret|secret\w*hook|hook\w*signing\w*key/i.test(name)) ??
    names.find((name) => /^(?:signing_?)?secret$/i.test(name)) ??
    usualSecretVariable
  );
}

/** The variables that a file reads, in the order in which they stand there. */
function variablesIn(text: string): string[] {
  const found = reads.flatMap((read) =>
    [...text.matchAll(read)].map(({ index, 1: name = '' }) => ({ index, name })),
  );
  for (const { index, 1: list = '' } of text.matchAll(destructured)) {
    for (const part of list.split(',')) {
      const [, name] = /^\s*["']?([A-Za-z_]\w*)/.exec(part) ?? [];
      if (name !== undefined) found.push({ index, name });
    }
  }
  return found.sort((one, other) => one.index - other.index).map(({ name }) => name);
}

/** Whether one of the words of a name is another service. */
function isOfAnother(name: string): boolean {
  // guard: none whose name has another service in it
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .toUpperCase()
    .split('_');
  const pairs = words.map((word, at) => word + (words[at + 1] ?? ''));
  return [...words, ...pairs].some((word) => otherServices.some((services) => services.test(word)));
}
