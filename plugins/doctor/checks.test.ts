import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { testAuthority } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { checkCertificates, checkOwnCertificates } from './checks/certificates.js'
import { checkDataFolder } from './checks/data-folder.js'
import { checkDisk, checkNode, checkOpenFiles } from './checks/machine.js'
import { checkBackupFolder, checkOptionFiles } from './checks/option-files.js'
import { checkPort } from './checks/port.js'
import { checkSigningKeys } from './checks/signing-keys.js'
import type { Finding } from './finding.js'

const it = suite<{ folder: string }>('the doctor checks')
it.before.each(context => {
  context.folder = mkdtempSync(join(tmpdir(), 'doctor-'))
})
it.after.each(({ folder }) => rmSync(folder, { recursive: true, force: true }))

const gradesOf = (findings: readonly Finding[]) => findings.map(({ grade }) => grade)
const hasRemedies = (findings: readonly Finding[]) =>
  assert.ok(findings.every(({ grade, remedy }) => grade === 'fine' || remedy !== undefined))

it('the version of Node and the open files', () => {
  assert.is(checkNode('v18.20.0').grade, 'wrong')
  assert.is(checkNode('v22.1.0').grade, 'fine')
  assert.equal(gradesOf(checkOpenFiles('Max open files            256                  4096   files')), ['warning'])
  assert.equal(gradesOf(checkOpenFiles('Max open files            65536                65536  files')), ['fine'])
  assert.equal(checkOpenFiles(undefined), [])
})

it('a disk that is full, nearly full, or out of files', () => {
  const space = (mebibytes: number, freeFiles = 5) => ({ freeBytes: mebibytes * 2 ** 20, files: 10, freeFiles })
  assert.equal(gradesOf(checkDisk('/data', space(1000))), ['fine'])
  assert.equal(gradesOf(checkDisk('/data', space(100))), ['warning'])
  assert.equal(gradesOf(checkDisk('/data', space(1))), ['wrong'])
  assert.equal(gradesOf(checkDisk('/data', space(1000, 0))), ['fine', 'wrong'])
  assert.equal(gradesOf(checkDisk('/data', { ...space(1000, 0), files: 0 })), ['fine'])
})

it('a lost key that tokens were signed with', ({ folder }) => {
  assert.equal(checkSigningKeys(folder, {}), [], 'before the first start')
  mkdirSync(join(folder, 'pki'))
  writeFileSync(join(folder, 'pki/ca.crt'), '')
  const findings = checkSigningKeys(folder, {})
  assert.equal(gradesOf(findings), ['warning'])
  assert.match(findings[0]?.what ?? '', /serving\.key is missing: the next start makes a new key/)
  assert.equal(checkSigningKeys(folder, { serviceAccountSigningKeyFile: 'own.key' }), [])
  writeFileSync(join(folder, 'pki/serving.key'), '')
  assert.equal(checkSigningKeys(folder, {}), [])
})

it('a folder that others may read', ({ folder }) => {
  const dataDir = join(folder, 'data')
  assert.equal(gradesOf(checkDataFolder(dataDir, 0)), ['fine'])
  mkdirSync(join(dataDir, 'pki'), { recursive: true, mode: 0o700 })
  writeFileSync(join(dataDir, 'pki/ca.crt'), '', { mode: 0o644 })
  writeFileSync(join(dataDir, 'pki/ca.key'), '', { mode: 0o600 })
  assert.equal(gradesOf(checkDataFolder(dataDir, 0)), ['fine'])
  writeFileSync(join(dataDir, 'pki/admin.key'), '', { mode: 0o644 })
  const [found, ...others] = checkDataFolder(dataDir, 0)
  assert.equal(others, [])
  assert.is(found?.remedy, `chmod 600 ${join(dataDir, 'pki/admin.key')}`)
  writeFileSync(join(folder, 'file'), '')
  assert.match(checkDataFolder(join(folder, 'file'), 0)[0]?.what ?? '', /is not a folder/)
})

it('certificates: expired, soon to expire, not valid yet, broken', async () => {
  const day = 24 * 3_600_000
  const authority = await testAuthority()
  const { certificatePem } = await authority.issue({ user: 'x', fromMs: -day, untilMs: 60 * day })
  const others = { remedy: 'renew it', renewsItself: false }
  const check = (now: number, owner = others) => checkCertificates('it', certificatePem, owner, Date.now() + now)
  assert.equal(gradesOf(check(0)), ['fine'])
  assert.equal(gradesOf(check(40 * day)), ['warning'])
  assert.equal(gradesOf(check(40 * day, { ...others, renewsItself: true })), ['fine'])
  assert.equal(gradesOf(check(61 * day)), ['wrong'])
  assert.equal(gradesOf(check(61 * day, { ...others, renewsItself: true })), ['warning'])
  assert.equal(gradesOf(check(-2 * day)), ['wrong'])
  assert.match(check(-2 * day)[0]?.remedy ?? '', /^Set the clock of this machine/)
  const broken = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----'
  assert.equal(gradesOf(checkCertificates('it', broken, others, 0)), ['wrong'])
})

it('the certificates of a data folder: keys of others, a missing CA', async ({ folder }) => {
  const pki = join(folder, 'pki')
  mkdirSync(pki)
  assert.equal(checkOwnCertificates(folder, Date.now()), [])
  const pair = await (await testAuthority()).server()
  writeFileSync(join(pki, 'serving.crt'), pair.certificatePem)
  writeFileSync(join(pki, 'serving.key'), pair.keyPem)
  const gone = checkOwnCertificates(folder, Date.now())
  assert.match(gone[0]?.what ?? '', /ca.crt is gone/)
  const other = await (await testAuthority()).server()
  writeFileSync(join(pki, 'ca.crt'), other.certificatePem)
  writeFileSync(join(pki, 'ca.key'), pair.keyPem)
  const findings = checkOwnCertificates(folder, Date.now())
  hasRemedies(findings)
  assert.ok(findings.some(({ what }) => /ca.key is not the key of .*ca.crt/.test(what)))
  assert.ok(findings.some(({ what }) => /serving.crt was not signed by .*ca.crt/.test(what)))
  assert.match(findings.find(({ what }) => /serving.key/.test(what))?.remedy ?? 'new-serving-key', /new-serving-key/)
})

it('a CA that will expire, and older ones after it', async ({ folder }) => {
  const day = 24 * 3_600_000
  const authority = await testAuthority()
  const { certificatePem, keyPem } = await authority.issue({ user: 'x', fromMs: -day, untilMs: 80 * day })
  mkdirSync(join(folder, 'pki'))
  writeFileSync(join(folder, 'pki/ca.key'), keyPem)
  const remediesWith = (pem: string, now: number) => {
    writeFileSync(join(folder, 'pki/ca.crt'), pem)
    return checkOwnCertificates(folder, now).map(({ grade, remedy = '' }) => [
      grade,
      /orch certs \S+/.exec(remedy)?.[0],
    ])
  }
  assert.equal(remediesWith(certificatePem, Date.now()), [['warning', 'orch certs rotate-ca']])
  assert.equal(remediesWith(certificatePem, Date.now() + 81 * day), [['wrong', 'orch certs new-ca']])
  assert.equal(remediesWith(certificatePem, Date.now() - 2 * day), [['wrong', 'orch certs new-ca']])
  mkdirSync(join(folder, 'pki/replacing'))
  assert.equal(remediesWith('half of a new one', Date.now()), [['warning', undefined]])
  rmSync(join(folder, 'pki/replacing'), { recursive: true })
  const older = (await authority.server()).certificatePem
  assert.equal(remediesWith(`${certificatePem}${older}`, Date.now()), [
    ['warning', 'orch certs rotate-ca'],
    ['warning', 'orch certs retire-old-ca'],
  ])
})

it('files that options name', async ({ folder }) => {
  const pair = await (await testAuthority()).server()
  const other = await (await testAuthority()).server()
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  write('cert.pem', pair.certificatePem)
  write('key.pem', pair.keyPem)
  write('other.pem', other.keyPem)
  const check = (options: object) => checkOptionFiles(options as Record<string, unknown>, folder, Date.now())
  assert.equal(
    check({ tlsCertFile: 'cert.pem', tlsPrivateKeyFile: 'key.pem' }).filter(each => each.grade === 'wrong'),
    [],
  )
  const wrongKey = check({ tlsCertFile: 'cert.pem', tlsPrivateKeyFile: 'other.pem' })
  assert.match(wrongKey.find(({ grade }) => grade === 'wrong')?.what ?? '', /other.pem is not the key of/)
  const [missing] = check({ serviceAccountKeyFile: ['none.pem'] })
  assert.match(missing?.what ?? '', /^--service-account-key-file .*none.pem does not exist$/)
  assert.match(check({ clientCaFile: '.' })[0]?.what ?? '', /is not a file/)
  assert.equal(check({ readyFile: 'none', apiAudiences: ['x'], tokenAuthFile: undefined }), [])
})

it('the folder of backups', ({ folder }) => {
  writeFileSync(join(folder, 'backups'), 'in the way')
  const check = (options: object) => gradesOf(checkBackupFolder(options as Record<string, unknown>, folder, folder))
  assert.equal(check({ backupInterval: '0s' }), [])
  assert.equal(check({ backupInterval: '1h' }), ['wrong'])
  assert.equal(check({ backupInterval: '1h', backupDir: '.' }), [])
  assert.equal(check({ backupInterval: '1h', backupDir: 'none' }), [])
})

it('a port that is taken, or at an address of another machine', async ({ folder }) => {
  const server = createServer(socket => socket.destroy())
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const unknown = { pid: undefined, certificateFile: undefined }
  const taken = await checkPort('127.0.0.1', port, unknown)
  assert.is(taken.grade, 'wrong')
  assert.match(taken.remedy ?? '', /--secure-port/)
  assert.is((await checkPort('127.0.0.1', port, { ...unknown, pid: 42 })).grade, 'fine')
  await new Promise(resolve => server.close(resolve))
  assert.is((await checkPort('127.0.0.1', port, unknown)).grade, 'fine')
  const own = await (await testAuthority()).server()
  const other = await (await testAuthority()).server()
  writeFileSync(join(folder, 'own.crt'), own.certificatePem)
  for (const [shown, grade] of [
    [own, 'fine'],
    [other, 'wrong'],
  ] as const) {
    const secure = createTlsServer({ cert: shown.certificatePem, key: shown.keyPem })
    await new Promise<void>(resolve => secure.listen(port, '127.0.0.1', resolve))
    const known = { ...unknown, certificateFile: join(folder, 'own.crt') }
    assert.is((await checkPort('127.0.0.1', port, known)).grade, grade)
    const inTenYears = Date.now() + 3650 * 24 * 3_600_000
    assert.is((await checkPort('127.0.0.1', port, known, inTenYears)).grade, 'wrong')
    await new Promise(resolve => secure.close(resolve))
  }
  const elsewhere = await checkPort('192.0.2.1', 6443, unknown)
  assert.equal([elsewhere.grade, /--bind-address/.test(elsewhere.remedy ?? '')], ['wrong', true])
})

it.run()
