import { defineService, defineStartTask, services, serviceToken, UnavailableHere } from 'orch/sdk'
import { ChangingFiles } from 'orch/sdk/files'
import type { AuthenticationOptions } from '../options.js'
import { readOnce } from '../read-once.js'
import { findSigningKey, readVerificationKeys, type SigningKey, type VerificationKey } from './signing-keys.js'

/** The keys that tokens of service accounts are signed and checked with. */
export interface AccountKeys {
  /** Signs requested tokens. */
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

/** The text of a file, by its path. */
type Texts = ReadonlyMap<string, string>

const keyFilesOf = ({
  serviceAccountKeyFile,
  serviceAccountSigningKeyFile,
  serviceAccountPrivateKeyFile,
}: KeyOptions): string[] =>
  [...serviceAccountKeyFile, serviceAccountSigningKeyFile, serviceAccountPrivateKeyFile].filter(
    path => path !== undefined,
  )

/** Without any option the server's own key signs and verifies; a separate process may not have that one. */
function readAccountKeys(options: KeyOptions, texts: Texts, ownKeyPem: string | undefined): AccountKeys {
  const { serviceAccountKeyFile: keyFiles, serviceAccountSigningKeyFile, serviceAccountPrivateKeyFile } = options
  const listed = keyFiles.flatMap(path => readVerificationKeys(texts.get(path) ?? '', path))
  const legacy =
    serviceAccountPrivateKeyFile === undefined ? undefined : readSigningKey(serviceAccountPrivateKeyFile, texts)
  const signing = signingKeyOf(keyFiles, serviceAccountSigningKeyFile, texts, ownKeyPem, legacy)
  const legacySigning = legacy ?? signing
  const verifying = listed.length > 0 ? listed : [signing.publicKey, legacySigning.publicKey]
  return { signing, legacySigning, verifying: [...new Map(verifying.map(key => [key.id, key])).values()] }
}

function signingKeyOf(
  keyFiles: readonly string[],
  signingKeyFile: string | undefined,
  texts: Texts,
  ownKeyPem: string | undefined,
  legacy: SigningKey | undefined,
): SigningKey {
  if (signingKeyFile !== undefined) return readSigningKey(signingKeyFile, texts)
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
      : findSigningKey(texts.get(first) ?? '', first)
  if (key) return key
  throw new Error(
    `--service-account-key-file ${first} holds no private key, so --service-account-signing-key-file must name one`,
  )
}

function readSigningKey(path: string, texts: Texts): SigningKey {
  const key = findSigningKey(texts.get(path) ?? '', path)
  if (key) return key
  throw new Error(`${path} holds no private key`)
}

const needs = {
  server: services.server,
  clock: services.clock,
  logger: services.logger,
  metrics: services.metrics,
}
export const accountKeysService = (options: KeyOptions) =>
  defineService({
    token: accountKeys,
    needs,
    create({ server, ...given }) {
      const paths = keyFilesOf(options)
      const files = readOnce(
        () =>
          new ChangingFiles({
            ...given,
            what: 'keys of service accounts',
            paths,
            parse: texts =>
              readAccountKeys(
                options,
                new Map(paths.map((path, at) => [path, texts[at]!])),
                server.serviceAccountKeyPem,
              ),
          }),
      )
      return () => files().current()
    },
  })

export const checkAccountKeys = defineStartTask({
  name: 'service account keys',
  needs: { keys: accountKeys },
  run: ({ keys }) => void keys(),
})
