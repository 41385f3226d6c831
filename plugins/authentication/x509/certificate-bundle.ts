import { X509Certificate } from 'node:crypto'
import { ChangingFiles, type ChangingFilesOptions, pemBlocks } from 'orch/sdk/files'

/** The certificates of a PEM text. */
export const parseCertificates = (pem: string): readonly X509Certificate[] =>
  pemBlocks(pem)
    .filter(({ label }) => label === 'CERTIFICATE')
    .map(({ text }) => new X509Certificate(text))

/** Certificates of a file that is read again when it changes. */
export const certificateBundle = (
  path: string,
  what: string,
  given: Pick<ChangingFilesOptions<unknown>, 'clock' | 'logger' | 'metrics'>,
) =>
  new ChangingFiles({
    ...given,
    what,
    paths: [path],
    parse([text = '']) {
      const certificates = parseCertificates(text)
      if (certificates.length === 0) throw new Error(`${path} holds no PEM certificate`)
      return certificates
    },
  })
