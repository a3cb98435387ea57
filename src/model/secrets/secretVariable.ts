/** The default variable that an app reads the webhook secret from. */
export const usualSecretVariable = 'WEBHOOK_SECRET';

/** The workspace storage key of the variable that the user named. */
export const secretVariableKey = 'secrets.variable';
