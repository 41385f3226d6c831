import { kubernetesProfile } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { servingBanner } from './serving-banner.js'

const banner = suite('serving banner')
const facts = {
  vendor: kubernetesProfile,
  baseUrl: 'https://127.0.0.1:6443',
  clientConfigPath: '/home/me/data/admin.conf',
  paths: { caCertificate: '/d/ca.crt', adminCertificate: '/d/admin.crt', adminKey: '/d/admin.key' },
  tls: true,
}

banner('shows the address, the client config and three commands with the names of the vendor', () => {
  const text = servingBanner(facts)
  assert.match(text, /^Serving at https:\/\/127\.0\.0\.1:6443\nClient config: \/home\/me\/data\/admin\.conf\n/)
  const commands = text.split('\n').filter(line => line.startsWith('  '))
  assert.is(commands.length, 3)
  assert.match(commands[0] ?? '', /^ {2}KUBECONFIG=\/home\/me\/data\/admin\.conf kubectl /)
  assert.match(commands[2] ?? '', /curl --cacert \/d\/ca\.crt --cert \/d\/admin\.crt --key \/d\/admin\.key https:/)
})

banner('quotes a path with spaces', () => {
  assert.match(
    servingBanner({ ...facts, clientConfigPath: "/my data/it's" }),
    /KUBECONFIG='\/my data\/it'\\''s' kubectl/,
  )
})
banner('runs the client of this package by its path if the vendor names it', () => {
  assert.match(servingBanner({ ...facts, ownClient: 'node /here/client.js' }), 'node /here/client.js api-resources')
})

banner.run()
