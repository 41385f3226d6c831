import { X509Certificate } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { inFolder } from './boot-request.js'
import { runBinary, serveBinary } from './run-binary.js'

const folders = suite('the data folder')

const refusedWith = ({ code, err }: { code: number | null; err: string }, line: RegExp) => {
  assert.is(code, 1, err)
  assert.match(err, line)
  assert.is(err.trimEnd().split('\n').length, 1, err)
}

folders('allows one server at a time; commands that read are allowed next to it, commands that replace are not', () =>
  inFolder({}, async dir => {
    const server = await serveBinary(dir, '--secure-port=0', '--workers=2')
    try {
      refusedWith(await runBinary(dir, 'serve', '--secure-port=0'), /process \d+ already serves from .*IN_USE/)
      for (const words of [['stats'], ['verify'], ['backup', 'saved.mdb'], ['export', 'saved.json']]) {
        const { code, err } = await runBinary(dir, 'storage', ...words)
        assert.is(code, 0, `${words}: ${err}`)
      }
      for (const words of [['compact'], ['restore', 'saved.mdb'], ['import', 'saved.json']]) {
        refusedWith(await runBinary(dir, 'storage', ...words), /stop the server first: process \d+ serves from/)
      }
    } finally {
      assert.is(await server.stop(), 0)
    }
    assert.is((await runBinary(dir, 'storage', 'compact')).code, 0)
  }),
)

folders('belongs to a vendor and to a format', () =>
  inFolder({}, async dir => {
    const marker = join(dir, 'data/data-folder.json')
    const again = (...words: string[]) => runBinary(dir, 'serve', '--secure-port=0', ...words)
    const server = await serveBinary(dir, '--secure-port=0')
    await server.stop()
    const { vendor, format, createdBy } = JSON.parse(readFileSync(marker, 'utf8'))
    assert.equal([vendor, format], ['orch', 2])
    assert.match(createdBy, /^orch \d/)
    const before = readdirSync(join(dir, 'data')).sort()
    const anotherVendor = /belongs to vendor "orch".*this is vendor "kubernetes".*--vendor orch.*VENDOR/
    refusedWith(await again('--vendor=kubernetes'), anotherVendor)
    assert.equal(readdirSync(join(dir, 'data')).sort(), before)
    writeFileSync(marker, JSON.stringify({ vendor: 'orch', format: 99 }))
    refusedWith(await again(), /has format 99, and this program knows formats up to 2.*FORMAT/)
    writeFileSync(marker, 'torn')
    refusedWith(await again(), /data-folder.json" cannot be used.*MARKER/)
    // Folders from before the marker was introduced.
    rmSync(marker)
    refusedWith(await again('--vendor=kubernetes'), anotherVendor)
    await (await serveBinary(dir, '--secure-port=0')).stop()
    assert.is(JSON.parse(readFileSync(marker, 'utf8')).vendor, 'orch')
  }),
)

folders('is cleaned up by the next server', () =>
  inFolder({}, async dir => {
    await (await serveBinary(dir, '--secure-port=0')).stop()
    mkdirSync(join(dir, 'data/store.unfinished/store'), { recursive: true })
    writeFileSync(join(dir, 'data/store.maintenance'), '1')
    assert.is((await runBinary(dir, 'storage', 'stats')).code, 0)
    const found = readdirSync(join(dir, 'data')).sort()
    assert.equal(found, ['admin.conf', 'console-codes', 'data-folder.json', 'lock', 'pki', 'store'])
  }),
)

folders('reports a damaged store and missing keys with a remedy, without crashing', () =>
  inFolder({}, async dir => {
    await (await serveBinary(dir, '--secure-port=0')).stop()
    assert.is((await runBinary(dir, 'storage', 'backup', 'saved.mdb')).code, 0)
    const file = join(dir, 'data/store/data.mdb')
    const sound = readFileSync(file)
    const damages: Record<string, Buffer> = {
      header: Buffer.concat([Buffer.alloc(64, 7), sound.subarray(64)]),
      'its end': sound.subarray(0, 4096 * 5),
      'its middle': Buffer.concat([sound.subarray(0, 8192), Buffer.alloc(sound.length - 8192)]),
      all: Buffer.alloc(0),
    }
    for (const [what, bytes] of Object.entries(damages)) {
      writeFileSync(file, bytes)
      for (const words of [
        ['serve', '--secure-port=0'],
        ['storage', 'verify'],
        ['storage', 'stats'],
      ]) {
        const { code, err } = await runBinary(dir, ...words)
        assert.is(code, 1, `${what}, ${words}: ${err}`)
        assert.match(err, /data\.mdb is damaged: .*orch storage restore/, `${what}, ${words}`)
      }
    }
    assert.is((await runBinary(dir, 'storage', 'restore', 'saved.mdb')).code, 0)
    rmSync(join(dir, 'data/pki/ca.key'))
    refusedWith(
      await runBinary(dir, 'serve', '--secure-port=0'),
      /ca\.key" cannot be used: it is missing.*orch certs new-ca/,
    )
    assert.is((await runBinary(dir, 'certs', 'new-ca')).code, 0)
    const shown = async () => (await runBinary(dir, 'certs', 'show')).out
    const before = await shown()
    assert.match(
      before,
      /serving\.crt\n {2}subject {2}CN=orch\n {2}issuer {3}CN=data-folder-ca\n {2}valid {4}.*, 364 days left\n {2}names /,
    )
    assert.match(
      before,
      /front-proxy-client\.crt\n {2}subject {2}CN=front-proxy-client\n {2}issuer {3}CN=front-proxy-ca\n/,
    )
    const serial = () => new X509Certificate(readFileSync(join(dir, 'data/pki/admin.crt'))).serialNumber
    const old = serial()
    assert.is((await runBinary(dir, 'certs', 'renew')).code, 0)
    assert.is.not(serial(), old)
    const unchanged = await runBinary(dir, 'certs', 'retire-old-ca')
    assert.equal([unchanged.code, /Nothing was changed: there is no old CA/.test(unchanged.out)], [0, true])
    assert.match(
      (await runBinary(dir, 'certs', 'nothing')).err,
      /certs needs one of show, renew, rotate-ca, retire-old-ca, new-ca/,
    )
    await (await serveBinary(dir, '--secure-port=0')).stop()
  }),
)

folders.run()
