import { readFileSync } from 'node:fs'
import { defineController, definePlugin, parseDuration, services, Type } from 'orch/sdk'
import { startSigner } from './signer.js'

const text = (value: string, description: string) => Type.String({ minLength: 1, default: value, description })

/** A signer of short-lived serving certificates for the services of one domain. */
export const serviceSigner = definePlugin({
  name: 'service-signer',
  requires: ['certificates'],
  options: Type.Object({
    serviceSignerName: text('example.com/service-tls', 'Name of this signer in requests.'),
    serviceSignerDomain: text('svc.example.com', 'Certificates are for DNS names below this one.'),
    serviceSignerCertFile: text('service-ca.pem', 'PEM file with the certificate of the authority.'),
    serviceSignerKeyFile: text('service-ca-key.pem', 'PEM file with its private key, on the curve P-256.'),
    serviceSignerDuration: Type.String({ format: 'duration', default: '168h', description: 'Maximum validity.' }),
  }),
  register(to, { vendor, options }) {
    const requests = { group: vendor.group('certificates'), version: 'v1', resource: 'certificatesigningrequests' }
    to.controller(
      defineController({
        name: 'service-signer',
        rules: [
          { verbs: ['update'], apiGroups: [requests.group], resources: ['certificatesigningrequests/status'] },
          {
            verbs: ['sign'],
            apiGroups: [requests.group],
            resources: ['signers'],
            resourceNames: [options.serviceSignerName],
          },
        ],
        needs: { client: services.client, clock: services.clock, logger: services.logger },
        start: runtime =>
          startSigner({
            ...runtime,
            requests,
            signerName: options.serviceSignerName,
            domain: options.serviceSignerDomain,
            maxDurationMs: parseDuration(options.serviceSignerDuration),
            authority: {
              certificatePem: readFileSync(options.serviceSignerCertFile, 'utf8'),
              keyPem: readFileSync(options.serviceSignerKeyFile, 'utf8'),
            },
          }),
      }),
    )
    // Clients get the CA from here.
    to.route({
      path: '/service-signer/ca.pem',
      handle: () => ({
        headers: { 'content-type': 'application/x-pem-file' },
        body: readFileSync(options.serviceSignerCertFile, 'utf8'),
      }),
    })
  },
})
