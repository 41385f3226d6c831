import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { parse } from 'yaml'

/** GET with the credentials of a client config. */
export function adminGet(clientConfigPath: string, path: string): Promise<{ status: number; body: string }> {
  const config = parse(readFileSync(clientConfigPath, 'utf8'))
  const decoded = (text: string) => Buffer.from(text, 'base64')
  const { cluster } = config.clusters[0]
  const { user } = config.users[0]
  const credentials = {
    ca: decoded(cluster['certificate-authority-data']),
    cert: decoded(user['client-certificate-data']),
    key: decoded(user['client-key-data']),
  }
  return new Promise((resolve, reject) => {
    request(`${cluster.server}${path}`, { ...credentials, agent: false }, response => {
      let body = ''
      response.setEncoding('utf8').on('data', text => (body += text))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }))
    })
      .on('error', reject)
      .end()
  })
}
