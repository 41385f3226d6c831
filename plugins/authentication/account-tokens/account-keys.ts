import { readFileSync } from 'node:fs'
import { defineService, defineStartTask, services, serviceToken, UnavailableHere } from 'orch/sdk'
import type { AuthenticationOptions } from '../options.js'
import { readOnce } from '../read-once.js'
import { findSigningKey, readVerificationKeys, type SigningKey, type VerificationKey } from './signing-keys.js'

/** The keys that tokens of service accounts are signed and checked with. */
export interface AccountKeys {
  /** Signs tokens that are asked for. */
  readonly signing: SigningKey
  /** Signs tokens in Secrets. */
  readonly legacySigning: SigningKey
  readonly verifying: readonly VerificationKey[]
}
export const accountKeys = serviceToken<() => AccountKeys>('authentication.account-keys')

type KeyOptions = Pick<
  AuthenticationOptions,
  'serviceAccountKeyFile' | 'serviceAccountSigningKeyFile' | 'serviceAccountPrivateKeyFile'
>

/** Without any option the server's own key does everything; a process apart from the server may not have that one. */
function readAccountKeys(options: KeyOptions, ownKeyPem: string | undefined): AccountKeys {
  const { serviceAccountKeyFile: keyFiles, serviceAccountSigningKeyFile, serviceAccountPrivateKeyFile } = options
  const listed = keyFiles.flatMap(path => readVerificationKeys(readFileSync(path, 'utf8'), path))
  const legacy = serviceAccountPrivateKeyFile === undefined ? undefined : readSigningKey(serviceAccountPrivateKeyFile)
  const signing = signingKeyOf(keyFiles, serviceAccountSigningKeyFile, ownKeyPem, legacy)
  const legacySigning = legacy ?? signing
  const verifying = listed.length > 0 ? listed : [signing.publicKey, legacySigning.publicKey]
  return { signing, legacySigning, verifying: [...new Map(verifying.map(key => [key.id, key])).values()] }
}

function signingKeyOf(
  keyFiles: readonly string[],
  signingKeyFile: string | undefined,
  ownKeyPem: string | undefined,
  legacy: SigningKey | undefined,
): SigningKey {
  if (signingKeyFile !== undefined) return readSigningKey(signingKeyFile)
  const [first] = keyFiles
  if (first === undefined && ownKeyPem === undefined) {
    if (legacy) return legacy
    throw new UnavailableHere(
      "this process does not have the server's service account key: give --service-account-private-key-file",
    )
  }
  const key =
    first === undefined
      ? findSigningKey(ownKeyPem ?? '', "the server's service account key")
      : findSigningKey(readFileSync(first, 'utf8'), first)
  if (key) return key
  throw new Error(
    `--service-account-key-file ${first} holds no private key, so --service-account-signing-key-file must name one`,
  )
}

function readSigningKey(path: string): SigningKey {
  const key = findSigningKey(readFileSync(path, 'utf8'), path)
  if (key) return key
  throw new Error(`${path} holds no private key`)
}

const needs = { server: services.server }
export const accountKeysService = (options: KeyOptions) =>
  defineService({
    token: accountKeys,
    needs,
    create: ({ server }) => readOnce(() => readAccountKeys(options, server.serviceAccountKeyPem)),
  })

export const checkAccountKeys = defineStartTask({
  name: 'service account keys',
  needs: { keys: accountKeys },
  run: ({ keys }) => void keys(),
})
