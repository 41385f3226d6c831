import { readFileSync } from 'node:fs'
import { definePlugin, Type } from 'orch/sdk'
import { defineAuthenticator } from 'orch/sdk/identity'
import { ApiKeys } from './api-keys.js'

const header = 'x-api-key'

/** Authenticates by a key in a header of its own. */
const apiKeyMethod = (file: string) => {
  // Registration does no I/O: the file is read with the first request.
  let keys: ApiKeys | undefined
  return defineAuthenticator({
    name: 'api-key',
    kind: 'request',
    consumesHeaders: name => name === header,
    authenticate({ headerValues }) {
      const [key, ...more] = headerValues(header)
      // No key: another method may authenticate the client.
      if (key === undefined) return undefined
      keys ??= new ApiKeys(readFileSync(file, 'utf8'))
      const user = more.length === 0 ? keys.userOf(key) : undefined
      // An unknown key is invalid; no other method is responsible for it. The message must not quote it.
      if (!user) throw new Error('invalid API key')
      return { user }
    },
  })
}

export const apiKeys = definePlugin({
  name: 'api-keys',
  sdk: '^1.0.0',
  options: Type.Object({
    apiKeyFile: Type.String({ default: 'api-keys.csv', description: 'File of "hash,user,group1;group2" lines.' }),
  }),
  register(to, { options }) {
    to.authenticator(apiKeyMethod(options.apiKeyFile))
  },
})
