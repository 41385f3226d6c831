import type { Stored } from 'orch/sdk'
import type { Secret } from 'orch/sdk/core'
import type { LegacyClaims } from '../account-tokens/legacy-claims.js'
import type { AuthenticationNames } from '../names.js'
import type { StoredServiceAccount } from '../service-accounts/schema.js'

/** Keys of the data of a token Secret. */
const tokenKey = 'token'
const namespaceKey = 'namespace'
const caKey = 'ca.crt'

const encoded = (text: string) => Buffer.from(text).toString('base64')

/** What a token Secret is filled with. */
export interface TokenContents {
  readonly rootCaPem: string | undefined
  sign(claims: LegacyClaims): Promise<string>
}

/** Whether this Secret holds a token of this account, and not of an earlier one of the same name. */
export function isTokenOf(
  secret: Stored<Secret>,
  { metadata }: StoredServiceAccount,
  names: AuthenticationNames,
): boolean {
  const { annotations = {}, namespace } = secret.metadata
  const uid = annotations[names.accountUid]
  return (
    secret.type === names.tokenSecretType &&
    namespace === metadata.namespace &&
    annotations[names.accountName] === metadata.name &&
    (!uid || uid === metadata.uid)
  )
}

/** The Secret with its missing data filled in; undefined when none is missing. */
export async function completed(
  secret: Stored<Secret>,
  { metadata }: StoredServiceAccount,
  names: AuthenticationNames,
  { rootCaPem, sign }: TokenContents,
): Promise<Stored<Secret> | undefined> {
  const { data = {} } = secret
  const { name: accountName = '', uid: accountUid = '', namespace = '' } = metadata
  const ca = rootCaPem === undefined ? undefined : encoded(rootCaPem)
  const isMissing = !data[tokenKey] || !data[namespaceKey] || (ca !== undefined && data[caKey] !== ca)
  if (!isMissing) return undefined
  const secretName = secret.metadata.name ?? ''
  return {
    ...secret,
    metadata: {
      ...secret.metadata,
      annotations: {
        ...secret.metadata.annotations,
        [names.accountName]: accountName,
        [names.accountUid]: accountUid,
      },
    },
    data: {
      ...data,
      ...(ca === undefined ? {} : { [caKey]: ca }),
      [namespaceKey]: data[namespaceKey] || encoded(namespace),
      [tokenKey]: data[tokenKey] || encoded(await sign({ namespace, accountName, accountUid, secretName })),
    },
  }
}
