import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { aRequest, type KeyKind, withForeignKey } from '../testing/made-requests.js'
import { checkSignature, parseRequest, userNameOf } from './parse-request.js'
import { toPem } from './pem-blocks.js'

const parsing = suite('parsing requests')
const parse = (pem: string) => parseRequest(Buffer.from(pem))
async function problemOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  throw new Error('expected a failure')
}

parsing('returns subject, alternative names and key', async () => {
  const { pem } = await aRequest({
    commonNames: ['jane'],
    organizations: ['dev', 'ops'],
    names: [
      { type: 'dns', value: 'a.example' },
      { type: 'ip', value: '10.0.0.1' },
      { type: 'email', value: 'j@example.com' },
      { type: 'url', value: 'https://example.com/j' },
    ],
  })
  const parsed = await parse(`made with love\n${pem}`)
  assert.equal(parsed.subject, { commonNames: ['jane'], organizations: ['dev', 'ops'] })
  assert.equal(
    parsed.alternativeNames.map(({ type, value }) => `${type} ${value}`),
    ['dns a.example', 'ip 10.0.0.1', 'email j@example.com', 'url https://example.com/j'],
  )
  assert.is(parsed.rsaBits, undefined)
  assert.is(userNameOf(parsed), 'jane')
})

for (const key of ['P-256', 'P-384', 'P-521', 'Ed25519', 'RSA-2048'] as KeyKind[])
  parsing(`accepts a request signed with a key of kind ${key}`, async () => {
    await checkSignature(await parse((await aRequest({ key })).pem))
  })

parsing('returns the length of an RSA key', async () => {
  assert.is((await parse((await aRequest({ key: 'RSA-1024' })).pem)).rsaBits, 1024)
})

parsing('a request whose signature does not match its key is refused', async () => {
  const foreign = await withForeignKey((await aRequest()).pem)
  assert.match(await problemOf(parse(foreign).then(checkSignature)), 'signature')
})

/** Created with a curve that the library does not support. */
const onP224 = [
  '-----BEGIN CERTIFICATE REQUEST-----',
  'MIG2MGYCAQAwDzENMAsGA1UEAwwEamFuZTBOMBAGByqGSM49AgEGBSuBBAAhAzoA',
  'BCwQrg/qZ+/Lgr4TuYvShIccuJvStx9UCnwBFLpPbIa5AN1iSFLxs9sXg9o5mUl1',
  'DVlihQsXjiy3oAAwCgYIKoZIzj0EAwIDQAAwPQIcdRcnBRIBN8NkhiPXqQtjyLSS',
  'DnREvZaKlNg5dgIdAMHVN7lvZL+PUcnKfLf6fSDcAZguLsHRLVMGAWI=',
  '-----END CERTIFICATE REQUEST-----',
].join('\n')
parsing('an unsupported key is rejected with a message of the API', async () => {
  assert.is(
    await problemOf(parse(onP224).then(checkSignature)),
    'the key or the signature is of a kind that is not supported',
  )
})

parsing('bytes after the request are refused', async () => {
  const { pem } = await aRequest()
  const longer = Buffer.concat([Buffer.from(pem.replace(/-----.*-----|\s/g, ''), 'base64'), Buffer.from([0x05, 0])])
  assert.match(await problemOf(parse(toPem('CERTIFICATE REQUEST', longer))), 'more than the request')
})

const noRequests = {
  'is empty': '',
  'is no PEM': 'hello',
  'is another kind of block': '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
  'has the older label': '-----BEGIN NEW CERTIFICATE REQUEST-----\nAAAA\n-----END NEW CERTIFICATE REQUEST-----\n',
  'is no ASN.1': '-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----\n',
  'is an empty sequence': '-----BEGIN CERTIFICATE REQUEST-----\nMAA=\n-----END CERTIFICATE REQUEST-----\n',
}
for (const [title, pem] of Object.entries(noRequests))
  parsing(`what ${title} is refused`, async () => {
    assert.ok(await problemOf(parse(pem)))
  })

parsing('a request that is truncated anywhere is rejected', async () => {
  const { pem } = await aRequest()
  const der = Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ''), 'base64')
  for (let length = 0; length < der.length; length += 7) {
    const part = der.subarray(0, length).toString('base64')
    const broken = `-----BEGIN CERTIFICATE REQUEST-----\n${part}\n-----END CERTIFICATE REQUEST-----\n`
    assert.ok(await problemOf(parse(broken).then(checkSignature)), `${length} bytes`)
  }
})

/** A name in any encoding: the library uses the bytes after `#` literally. */
const encoded = (tag: number, text: string, encoding: BufferEncoding = 'latin1') => {
  const content = Buffer.from(text, encoding)
  return `#${Buffer.concat([Buffer.from([tag, content.length]), content]).toString('hex')}`
}
const masters = 'system:masters'
const smuggled = {
  'as BMPString': encoded(0x1e, [...masters].map(letter => `\0${letter}`).join('')),
  'as UniversalString': encoded(0x1c, [...masters].map(letter => `\0\0\0${letter}`).join('')),
  'as TeletexString': encoded(0x14, masters),
  'as OCTET STRING': encoded(0x04, masters),
}
for (const [title, organization] of Object.entries(smuggled))
  parsing(`an organization written ${title}, which parsers read differently, is refused`, async () => {
    const { pem } = await aRequest({ subject: [{ O: [organization] }, { CN: ['jane'] }] })
    assert.match(await problemOf(parse(pem)), /UTF8String/)
  })

parsing('an organization that looks like an encoding is used literally', async () => {
  const text = encoded(0x0c, masters)
  const { pem } = await aRequest({ subject: [{ O: [encoded(0x0c, text)] }, { CN: ['jane'] }] })
  assert.equal((await parse(pem)).subject.organizations, [text])
})

parsing('a name with a zero byte, where some parsers stop, is refused', async () => {
  const { pem } = await aRequest({ subject: [{ CN: [encoded(0x0c, 'system:node:n1\0x')] }] })
  assert.match(await problemOf(parse(pem)), /zero byte/)
})

parsing('all values of an attribute are read, in one or several sets', async () => {
  const { pem } = await aRequest({ subject: [{ O: ['a', 'b'] }, { O: ['c'], CN: ['x'] }, { CN: ['y'] }] })
  assert.equal((await parse(pem)).subject, { commonNames: ['x', 'y'], organizations: ['a', 'b', 'c'] })
})

parsing('a subject may be empty', async () => {
  const { pem } = await aRequest({ subject: [] })
  assert.equal((await parse(pem)).subject, { commonNames: [], organizations: [] })
})
parsing.run()
