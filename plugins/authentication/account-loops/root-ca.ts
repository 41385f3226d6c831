import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { defineService, defineStartTask, services, serviceToken } from 'orch/sdk'
import { readOnce } from '../read-once.js'

/** Reads the CA that Pods verify the server with; undefined without TLS. */
export type RootCa = () => string | undefined
export const rootCa = serviceToken<RootCa>('authentication.root-ca')

const needs = { server: services.server }
export const rootCaService = (path: string | undefined) =>
  defineService({
    token: rootCa,
    needs,
    create: ({ server }) => readOnce(() => (path === undefined ? server.caCertificatePem : readCa(path))),
  })

function readCa(path: string): string {
  const pem = readFileSync(path, 'utf8')
  try {
    new X509Certificate(pem)
  } catch {
    throw new Error(`--root-ca-file ${path} holds no PEM certificate`)
  }
  return pem
}

export const checkRootCa = defineStartTask({
  name: 'root CA',
  needs: { ca: rootCa },
  run: ({ ca }) => void ca(),
})
