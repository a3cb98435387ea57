/** The variable that an app reads the webhook secret from, where nobody names another. */
export const usualSecretVariable = 'WEBHOOK_SECRET';

/** Under what a workspace remembers the one that was named. */
export const secretVariableKey = 'secrets.variable';
