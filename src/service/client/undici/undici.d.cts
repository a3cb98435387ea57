export { Agent, EnvHttpProxyAgent } from 'undici';
