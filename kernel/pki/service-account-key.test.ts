import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { temporaryFolder } from '../../test/support/temporary-folder.js'
import { makePrivateFolder } from './private-files.js'
import { serviceAccountKey } from './service-account-key.js'

const signing = suite('the key of service account tokens')

const form = { type: 'pkcs8', format: 'pem' } as const
const rsa = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export(form) as string
const ed25519 = () => generateKeyPairSync('ed25519').privateKey.export(form) as string

async function inFolder(use: (folder: string, read: (name: string) => string) => Promise<void>) {
  const folder = temporaryFolder()
  try {
    makePrivateFolder(join(folder.path, 'pki'))
    await use(folder.path, name => readFileSync(join(folder.path, 'pki', name), 'utf8'))
  } finally {
    folder.remove()
  }
}

signing('is that of the TLS server, and changes with it', () =>
  inFolder(async (folder, read) => {
    for (const key of [rsa(), rsa()]) {
      assert.is(await serviceAccountKey(folder, key), key)
      assert.is(read('service-account.key'), key)
      assert.is(read('service-account.pub'), createPublicKey(key).export({ type: 'spki', format: 'pem' }))
    }
  }),
)

signing('is a separate one, and stays, if that of the TLS server cannot sign tokens', () =>
  inFolder(async folder => {
    const made = await serviceAccountKey(folder, ed25519())
    assert.is(createPublicKey(made).asymmetricKeyType, 'ec')
    assert.is(await serviceAccountKey(folder, ed25519()), made)
  }),
)

signing.run()
