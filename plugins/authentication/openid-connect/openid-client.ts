import { readFileSync } from 'node:fs'
import { defineService, services, serviceToken } from 'orch/sdk'
import type { AuthenticationOptions } from '../options.js'
import { readOnce } from '../read-once.js'
import { parseCertificates } from '../x509/certificate-bundle.js'
import { Issuer } from './issuer.js'
import { IssuerKeys } from './issuer-keys.js'
import type { IdTokenRules } from './verify-id-token.js'

/** This server as a client of the issuer that the options name. */
export interface OpenIdClient {
  readonly issuer: Issuer
  readonly keys: IssuerKeys
  readonly rules: IdTokenRules
  readonly clientId: string
}

/** Undefined where no issuer is configured. */
export const openIdClient = serviceToken<() => OpenIdClient | undefined>('authentication.openid-client')

export const openIdClientService = (options: AuthenticationOptions) =>
  defineService({
    token: openIdClient,
    needs: { clock: services.clock, logger: services.logger },
    create: ({ clock, logger }) =>
      readOnce(() => {
        const { oidcIssuerUrl: url, oidcClientId: clientId, oidcCaFile: caFile } = options
        if (url === undefined || clientId === undefined) return undefined
        const issuer = new Issuer(url, caFile === undefined ? undefined : readCa(caFile), clock)
        return {
          issuer,
          keys: new IssuerKeys(issuer, clock, logger),
          rules: { issuer: url, clientIds: [clientId], algorithms: options.oidcSigningAlgs },
          clientId,
        }
      }),
  })

function readCa(path: string): string {
  const pem = readFileSync(path, 'utf8')
  if (parseCertificates(pem).length === 0) throw new Error(`--oidc-ca-file ${path} holds no PEM certificate`)
  return pem
}
