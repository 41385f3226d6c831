import { X509Certificate } from 'node:crypto'
import { derValues } from 'orch/sdk/identity'
import { pemBlocks } from './pem-blocks.js'

const certificateLabel = 'CERTIFICATE'
const sequenceTag = 0x30
/** BER, unlike DER, may mark the end of a value instead of giving its length. */
const indefiniteLength = 0x80

/**
 * The certificates of a PEM text: the issued one first, then intermediates. Throws an Error that describes the problem.
 */
export function parseCertificates(pem: Buffer): X509Certificate[] {
  const blocks = pemBlocks(pem.toString('latin1'))
  if (blocks.length === 0) throw new Error(`must contain one or more ${certificateLabel} PEM blocks`)
  return blocks.map(({ label, hasHeaders, bytes }) => {
    if (label !== certificateLabel)
      throw new Error(`only ${certificateLabel} PEM blocks are allowed, found ${JSON.stringify(label)}`)
    if (hasHeaders) throw new Error('no PEM block headers are permitted')
    return parseCertificate(bytes)
  })
}

function parseCertificate(bytes: Buffer): X509Certificate {
  try {
    // The parser also accepts PEM, and ignores bytes after the certificate; both would let other data through.
    if (bytes[0] !== sequenceTag) throw new Error('not a sequence')
    if (bytes[1] !== indefiniteLength && derValues(bytes).length !== 1) throw new Error('more than one value')
    return new X509Certificate(bytes)
  } catch (error) {
    throw new Error('a PEM block does not hold exactly one certificate', { cause: error })
  }
}
