/** Words that begin or end like a name of production, but mean something else. */
const lookalikes = /^(?:products?|produces?|producers?|producing|productivity|reproduction)$/;

/**
 * Whether an environment is production, by its name. Calls under the accounts of production ask first, and it is
 * shown in a colour of its own. This is the only place that decides it.
 *
 * The name is read word by word. A word means production if it is `live`, or begins or ends with `prod`, `production`
 * or `prd`: prod-eu, EU_PROD, production2, Produktion. It does not after `pre`, `non` or `not`, joined or separate,
 * or if it is another word: preprod, non-prod, product-dev, reproduction. A name that says both, such as prod-test,
 * or whose other words are not understood, counts as production: an unnecessary question does no harm.
 */
export function isProduction(environment: string | undefined): boolean {
  const words = wordsOf(environment ?? '');
  return words.some((word, at) => namesProduction(word) && !/^(?:pre|non|not)$/.test(words[at - 1] ?? ''));
}

function namesProduction(word: string): boolean {
  if (lookalikes.test(word) || /^(?:pre|non|not)(?:prod|prd|live)/.test(word)) return false;
  // guard S51: An account whose name may mean production asks.
  return word === 'live' || /^(?:prod|prd)|(?:prod|prd|production)$|本番/.test(word);
}

/** The words of a name in lower case, split at digits, signs and camel case: `euProd` is two words. */
function wordsOf(name: string): string[] {
  const apart = name.normalize('NFKC').replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2');
  return apart.toLowerCase().match(/\p{L}+/gu) ?? [];
}
