import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { anAuthority } from '../testing/made-authorities.js'
import { aRequest } from '../testing/made-requests.js'
import { parseCertificates } from './issued-certificates.js'
import { toPem } from './pem-blocks.js'

const chain = suite('issued certificates')
const certificate = async () => (await anAuthority()).certificatePem
const derOf = (pem: string) => Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ''), 'base64')

const accepted: Record<string, (pem: string) => string> = {
  'one block': pem => pem,
  'several blocks: the issued one and intermediates': pem => pem + pem,
  'text around blocks': pem => `before\n${pem}between\n${pem}after`,
  'line ends of other systems': pem => pem.replaceAll('\n', '\r\n'),
}
for (const [title, make] of Object.entries(accepted))
  chain(`accepts ${title}`, async () => assert.ok(parseCertificates(Buffer.from(make(await certificate()))).length > 0))

const refused: Record<string, (pem: string) => string | Promise<string>> = {
  'text without a block': () => 'garbage',
  'a block of another kind': async () => (await aRequest()).pem,
  'a block of another kind after a certificate': async pem => pem + (await aRequest()).pem,
  'a block under another label': pem => pem.replaceAll('CERTIFICATE', 'TRUSTED CERTIFICATE'),
  'a block with headers': pem => pem.replace('-----\n', '-----\nA: b\n\n'),
  'a block that is no certificate': () => toPem('CERTIFICATE', Buffer.from([0, 0, 0])),
  'a block with an empty sequence': () => toPem('CERTIFICATE', Buffer.from([0x30, 0])),
  'an empty block': () => toPem('CERTIFICATE', Buffer.alloc(0)),
  'a block with something after the certificate': pem =>
    toPem('CERTIFICATE', Buffer.concat([derOf(pem), Buffer.from([5, 0])])),
  'two certificates in one block': pem => toPem('CERTIFICATE', Buffer.concat([derOf(pem), derOf(pem)])),
  'a certificate that breaks off': pem => toPem('CERTIFICATE', derOf(pem).subarray(0, -1)),
  'PEM inside a block': pem => toPem('CERTIFICATE', Buffer.from(pem)),
}
for (const [title, make] of Object.entries(refused))
  chain(`refuses ${title}`, async () => {
    const text = await make(await certificate())
    assert.throws(
      () => parseCertificates(Buffer.from(text)),
      (error: unknown) => error instanceof Error,
    )
  })
chain.run()
