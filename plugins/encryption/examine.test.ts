import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Store } from 'orch/sdk/host'
import { fakeClock, fakeLogger } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readEncryptionConfiguration } from './configuration/encryption-configuration.js'
import { examine } from './examine.js'
import { makeKeyRing } from './key-ring.js'
import { NotedKeys, notedKeysKey } from './noted-keys.js'

const it = suite<{ file: string }>('the doctor of encryption')
it.before.each(context => {
  context.file = join(mkdtempSync(join(tmpdir(), 'encryption-')), 'encryption.yaml')
})
it.after.each(({ file }) => rmSync(join(file, '..'), { recursive: true, force: true }))

const names = { kinds: ['v1 EncryptionConfig'], mark: 'acme:enc:' }
const context = { clock: fakeClock(), logger: fakeLogger() }
const secretOf = (text: string) => createHash('sha256').update(text).digest('base64')
const textOf = (name: string, secret: string) => {
  const keys = [{ name, secret: secretOf(secret) }]
  const resources = [{ resources: ['secrets'], providers: [{ aesgcm: { keys } }] }]
  return JSON.stringify({ apiVersion: 'v1', kind: 'EncryptionConfig', resources })
}

/** A store whose Secrets were encrypted with a key. */
async function storeWith(name: string, secret: string): Promise<Store> {
  let body: Buffer | undefined
  const store = {
    get: async (key: string) => (key === notedKeysKey && body ? { key, modRevision: 1, body } : undefined),
    write: async (write: { body: Buffer }) => {
      body = write.body
      return { ok: true, revision: 1 }
    },
  } as unknown as Store
  const configuration = readEncryptionConfiguration(textOf(name, secret), names.kinds)
  const ring = await makeKeyRing(configuration, { ...context, mark: names.mark, noted: new Set() })
  await new NotedKeys(store, new Map()).note('/secrets', ring.of('/secrets/')!.write!)
  assert.not.match(String(body), secretOf(secret))
  return store
}

it('finds keys that are missing, others under the same name, and files that cannot be used', async ({ file }) => {
  const store = await storeWith('key1', 'right')
  const found = async (text: string | undefined, path: string | undefined = file) => {
    if (text !== undefined) writeFileSync(file, text, { mode: 0o600 })
    const findings = await examine(path, names, store, context)
    assert.ok(findings.every(({ grade, remedy }) => (grade === 'fine') === (remedy === undefined)))
    return findings.map(({ grade, what }) => `${grade} ${what}`).join()
  }
  assert.match(await found(textOf('key1', 'right')), /^fine .* has all keys that the store needs$/)
  assert.match(await found(textOf('key1', 'wrong')), /^wrong key "key1" of provider aesgcm has a different secret/)
  assert.match(await found(textOf('key2', 'right')), /^wrong secrets may be encrypted with key "key1" .* missing$/)
  assert.match(await found('resources: ['), /^wrong --encryption-provider-config .*encryption.yaml cannot be used/)
  assert.match(await found(undefined, join(file, '../none')), /^wrong .* cannot be used: ENOENT/)
  assert.match((await examine(undefined, names, store, context))[0]!.what, /key "key1" .* missing$/)
  assert.equal(await examine(undefined, names, undefined, context), [])
})

it('finds files that other users may read, and KMS plugins that do not respond', async ({ file }) => {
  const kms = { apiVersion: 'v2', name: 'vault', endpoint: `unix://${file}.sock`, timeout: '1s' }
  const resources = [{ resources: ['secrets'], providers: [{ kms }] }]
  writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'EncryptionConfig', resources }), { mode: 0o644 })
  const findings = await examine(file, names, undefined, context)
  assert.equal(
    findings.map(({ grade }) => grade),
    ['warning', 'wrong'],
  )
  assert.is(findings[0]?.remedy, `chmod 600 ${file}`)
  assert.match(findings[1]?.what ?? '', /the KMS plugin "vault" does not answer/)
})

it.run()
