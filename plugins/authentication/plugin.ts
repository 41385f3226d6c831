import { definePlugin, Type } from 'orch/sdk'
import { anonymous } from './methods/anonymous.js'
import { clientCertificates } from './methods/client-certificates.js'
import { staticTokens } from './methods/static-tokens.js'

const AuthenticationOptions = Type.Object({
  clientCaFile: Type.Optional(
    Type.String({ description: 'PEM file with the CAs whose client certificates are accepted.' }),
  ),
  tokenAuthFile: Type.Optional(
    Type.String({ description: 'CSV file of static tokens: token, user name, uid, optional groups.' }),
  ),
  anonymousAuth: Type.Boolean({
    default: true,
    description: 'Let requests without credentials through as system:anonymous.',
  }),
})

export const authentication = definePlugin({
  name: 'authentication',
  options: AuthenticationOptions,
  register(to, { options }) {
    to.authenticator(clientCertificates(options.clientCaFile))
    if (options.tokenAuthFile !== undefined) to.authenticator(staticTokens(options.tokenAuthFile))
    if (options.anonymousAuth) to.authenticator(anonymous)
  },
})
