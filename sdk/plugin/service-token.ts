declare const serves: unique symbol
/** Names a service: a symbol for the container, a type for the author. */
export type ServiceToken<T> = symbol & { readonly [serves]?: T }

const tokenPrefix = 'orch.service/'
/**
 * Makes a token. Tokens with the same name are the same token, in whichever module or copy of the sdk they are made; so
 * prefix the name with that of the plugin that offers the service: `wishes.granter`. A token that two plugins share is
 * declared in the sdk.
 */
export const serviceToken = <T>(name: string): ServiceToken<T> => Symbol.for(tokenPrefix + name)

/** The name of the service, for messages. */
export const serviceNameOf = (token: ServiceToken<unknown>): string =>
  token.description?.replace(tokenPrefix, '') ?? 'unnamed'

/** What a control, authenticator or controller lists under `needs`: local name → token. */
export type Needs = Readonly<Record<string, ServiceToken<unknown>>>
/** What it then receives: local name → instance. */
export type Resolved<N extends Needs> = { readonly [K in keyof N]: N[K] extends ServiceToken<infer T> ? T : never }
