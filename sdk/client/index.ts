/** For programs that talk to a server: the client, client config files, a server for webhooks, and JSON of any depth. */
export { chooseContext } from '../client-config/choose-context.js'
export {
  type ClientFromConfigOptions,
  type Connection,
  clientFromConfig,
  connectionFromConfig,
} from '../client-config/client-from-config.js'
export {
  ClientConfigError,
  type ClusterEntry,
  type ConfigFile,
  filesNamedBy,
  parseConfigFile,
  type UserEntry,
} from '../client-config/config-file.js'
export { checkedCredential, fileCredential } from '../client-config/file-credential.js'
export { type ClientConfig, clientConfigPaths, loadClientConfig } from '../client-config/load-client-config.js'
export { openIdTokenRequest } from '../client-config/openid-token-request.js'
export { ReviewWebhook } from '../client-config/review-webhook.js'
export { WebhookEndpoint } from '../client-config/webhook-endpoint.js'
export { isOutOfRange } from '../yaml/yaml-dialect.js'
export type {
  Client,
  DeleteOptions,
  ListOptions,
  ObjectList,
  ResourceClient,
  ResourceRef,
  Transport,
  TransportRequest,
  TransportResponse,
  WatchEvent,
  WriteOptions,
} from './client.js'
export { type ClientOptions, type ClosableTransport, createClient } from './create-client.js'
export {
  type Credential,
  type CredentialSource,
  credentialHeaders,
  fixedCredential,
  type Impersonation,
  impersonationHeaders,
} from './credentials.js'
export { ConnectionError, errorFromAnswer, isExpired, isObjectNotFound } from './error-answers.js'
export { type HttpTransportConfig, httpTransport, trustOnly } from './http-transport.js'
export { apiVersionOf, type KindInfo, type Kinds } from './kinds.js'
export { loadUndici } from './load-undici.js'
export { patchBetween } from './patch-between.js'
export { readText } from './read-text.js'
export { unlessLost } from './unless-lost.js'
export { hasCondition } from './wait-for.js'
export { sleep, waitingClock } from './waiting.js'
export { allowChanged, allowRequest, denyRequest, type WebhookHandler } from './webhook-review.js'
export { startWebhookServer } from './webhook-server.js'
