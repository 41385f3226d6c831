import { execFileSync } from 'node:child_process'
import { generateKeyPairSync, sign } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { filesInArchive } from './npm-archive.js'
import { readPackage, stagePackage } from './package-contents.js'
import { PackageProblem } from './package-problem.js'
import { checkSignature, signingKeysFrom } from './package-signature.js'

const packages = suite('packages of plugins')

const limits = { maxBytes: 1 << 20, maxFiles: 20 }
const top = mkdtempSync(join(tmpdir(), 'orch-packages-'))
packages.after(() => rmSync(top, { recursive: true }))

/** A possibly forged archive entry. */
function entry(path: string, { type = '0', text = 'x', sum = 0, link = '' } = {}): Buffer {
  const header = Buffer.alloc(512)
  header.write(path, 0, 100)
  header.write('0000644\0', 100)
  header.write(`${text.length.toString(8).padStart(11, '0')}\0`, 124)
  header.write(type, 156)
  header.write(link, 157)
  header.write('ustar\0', 257)
  header.fill(' ', 148, 156)
  const right = header.reduce((total, byte) => total + byte, 0)
  header.write(`${(right + sum).toString(8).padStart(6, '0')}\0 `, 148)
  const contents = Buffer.alloc(Math.ceil(text.length / 512) * 512)
  contents.write(text)
  return Buffer.concat([header, contents])
}
const archive = (...entries: Buffer[]) => gzipSync(Buffer.concat([...entries, Buffer.alloc(1024)]))
const write = (path: string, contents: string | Buffer) => {
  mkdirSync(dirname(join(top, path)), { recursive: true })
  writeFileSync(join(top, path), contents)
}
const refusal = (attempt: () => unknown): string => {
  try {
    attempt()
  } catch (error) {
    if (error instanceof PackageProblem) return error.message
    throw error
  }
  return 'none'
}

packages('are archives as npm and tar make them, with paths of any length', () => {
  const deep = `lib/${'long-folder-name/'.repeat(12)}file.js`
  write('made/package/package.json', '{"name":"widgets","version":"1.2.3","main":"lib/main.js"}')
  write('made/package/lib/main.js', 'export default 1')
  write(`made/package/${deep}`, 'deep')
  for (const format of ['gnu', 'pax'])
    execFileSync('tar', [
      `--format=${format}`,
      '-czf',
      join(top, `widgets-${format}.tgz`),
      '-C',
      join(top, 'made'),
      'package',
    ])
  for (const format of ['gnu', 'pax']) {
    const contents = readPackage(top, `widgets-${format}.tgz`)
    assert.is(contents.version, '1.2.3')
    const main = stagePackage(contents, join(top, 'stage'))
    assert.match(main, /lib\/main\.js$/)
    assert.is(readFileSync(join(dirname(main), '..', deep), 'utf8'), 'deep')
    assert.is(stagePackage(contents, join(top, 'stage')), main, 'once only')
  }
})

packages('are rejected if they contain anything that does not belong in a package, and nothing is written', () => {
  const good = entry('package/plugin.js')
  const hostile: Record<string, [Buffer, RegExp]> = {
    'a path with ..': [archive(entry('package/../../evil.js')), /not a path inside a package/],
    'a path with .. in a long name': [
      archive(entry('././@LongLink', { type: 'L', text: 'package/../../evil.js' }), good),
      /not a path inside a package/,
    ],
    'a path with .. in an extended header': [
      archive(entry('pax', { type: 'x', text: '19 path=../evil.js\n' }), good),
      /not a path inside a package/,
    ],
    'an absolute path': [archive(entry('/etc/evil.js')), /not a path inside a package/],
    'a path of another operating system': [archive(entry('package\\..\\evil.js')), /not a path inside a package/],
    'a symbolic link': [
      archive(entry('package/a', { type: '2', text: '', link: '/etc' })),
      /neither a file nor a folder/,
    ],
    'a hard link': [archive(entry('package/a', { type: '1', text: '', link: '/etc/passwd' })), /neither a file/],
    'a device': [archive(entry('package/a', { type: '3', text: '' })), /neither a file nor a folder/],
    'a file twice': [archive(good, good), /is in the archive twice/],
    'a file in no folder': [archive(entry('plugin.js')), /is not in a folder/],
    'a wrong checksum': [archive(entry('package/a', { sum: 1 })), /damaged/],
    'a file that ends early': [gzipSync(entry('package/a', { text: 'x'.repeat(600) }).subarray(0, 700)), /damaged/],
    'a broken extended header': [archive(entry('pax', { type: 'x', text: '9999 path=a\n' }), good), /damaged/],
    'too many files': [archive(...Array.from({ length: 21 }, (_, i) => entry(`package/${i}`))), /more than 20 files/],
    'too many bytes': [gzipSync(Buffer.alloc((1 << 20) + 1)), /more than 1048576 bytes/],
    'no archive': [Buffer.from('hello'), /not a complete gzip archive/],
    'half an archive': [archive(good).subarray(0, 40), /not a complete gzip archive/],
    'an empty archive': [archive(), /no files/],
  }
  for (const [title, [bytes, message]] of Object.entries(hostile))
    assert.match(
      refusal(() => filesInArchive(bytes, limits)),
      message,
      title,
    )
  write('evil.tgz', hostile['a path with ..']![0])
  const before = readdirSync(top)
  assert.match(
    refusal(() => stagePackage(readPackage(top, 'evil.tgz'), join(top, 'stage'))),
    /not a path inside/,
  )
  assert.equal(readdirSync(top), before)
  assert.not(existsSync(join(dirname(top), 'evil.js')))
})

packages('must not contain links; the error has the path of the link', () => {
  write('linked/package.json', '{}')
  write('linked/node_modules/.bin/asc.js', '')
  symlinkSync('asc.js', join(top, 'linked/node_modules/.bin/asc'))
  assert.match(
    refusal(() => readPackage(top, 'linked')),
    /node_modules\/\.bin\/asc is neither a file nor a folder; a package must not contain links/,
  )
})

packages('are found by an npm name and version, packed or installed', () => {
  const json = (version: string) => JSON.stringify({ version, main: 'a.js' })
  write('toys-cars-2.0.0.tgz', archive(entry('package/package.json', { text: json('2.0.0') }), entry('package/a.js')))
  write('node_modules/@toys/cars/package.json', json('3.0.0'))
  write('node_modules/@toys/cars/a.js', '')
  const found = (name: string) => relative(top, readPackage(top, name).path)
  assert.is(found('@toys/cars@2.0.0'), 'toys-cars-2.0.0.tgz')
  assert.is(found('@toys/cars@3.0.0'), 'node_modules/@toys/cars')
  assert.match(
    refusal(() => found('@toys/cars@4.0.0')),
    /neither toys-cars-4\.0\.0\.tgz nor node_modules\/@toys\/cars of version 4\.0\.0 .*where node_modules has version 3\.0\.0/,
  )
  assert.match(
    refusal(() => found('boats@1.0.0')),
    /neither boats-1\.0\.0\.tgz/,
  )
})

packages('must be signed by a trusted key, if the server has any', () => {
  const [own, other] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')]
  const pem = (key: typeof own) => key.publicKey.export({ type: 'spki', format: 'pem' }).toString()
  write('keys.pem', pem(other) + pem(own))
  const keys = signingKeysFrom([join(top, 'keys.pem')])
  assert.is(keys.length, 2)
  write('signed.js', 'export default 1')
  const { hashes } = readPackage(top, 'signed.js')
  const signed = (text: string, key = own) => sign(null, Buffer.from(text), key.privateKey).toString('base64')
  const check = (signature: string | undefined, trusted = keys) =>
    refusal(() => checkSignature(hashes, signature, trusted))
  assert.is(check(signed(hashes.sha256)), 'none')
  assert.is(check(signed(hashes.sha512)), 'none')
  assert.is(check(undefined, []), 'none')
  assert.match(check(undefined), /there is no signature/)
  assert.match(check(signed('sha256-other')), /not a signature of the package/)
  assert.match(check(signed(hashes.sha256, generateKeyPairSync('ed25519'))), /not a signature of the package/)
  assert.match(check('AAAA'), /not a signature of the package/)
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  write('rsa.pem', publicKey.export({ type: 'spki', format: 'pem' }).toString())
  assert.throws(() => signingKeysFrom([join(top, 'rsa.pem')]), /must be ed25519/)
  write('none.pem', 'hello')
  assert.throws(() => signingKeysFrom([join(top, 'none.pem')]), /no public key/)
})

packages.run()
