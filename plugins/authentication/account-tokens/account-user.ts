import type { UserInfo } from 'orch/sdk'

const userPrefix = 'system:serviceaccount:'
const allAccounts = 'system:serviceaccounts'

export const userNameOf = (namespace: string, name: string): string => `${userPrefix}${namespace}:${name}`

/** The extra key that carries the id of a token. */
export const credentialId = (id: string): string => `JTI=${id}`

/** The user of a service account. */
export const accountUser = (
  namespace: string,
  name: string,
  uid: string,
  extra?: Readonly<Record<string, readonly string[]>>,
): UserInfo => ({
  name: userNameOf(namespace, name),
  uid,
  groups: [allAccounts, `${allAccounts}:${namespace}`],
  ...(extra && Object.keys(extra).length > 0 ? { extra } : {}),
})
