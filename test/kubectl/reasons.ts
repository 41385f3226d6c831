/** Why orchctl has no such flag. The keys are a flag of every command, or `command --flag`. */
export const flagsLeftOut: Readonly<Record<string, string>> = {
  '--cache-dir':
    'orchctl keeps no cache on disk: discovery takes two requests, where the server has it in one document',
  '--disable-compression': 'orchctl never requests compressed responses',
  '--kuberc': 'there is no file of preferences; shell aliases do the same',
  '--log-flush-frequency': 'orchctl does not buffer its log',
  '--match-server-version': 'the versions of orchctl and a server are independent',
  '--profile': 'node --cpu-prof profiles any program of Node',
  '--profile-output': 'see --profile',
  '--vmodule': '-v has one level for the whole program',
  'api-resources --cached': 'orchctl keeps no cache on disk',
  'apply --openapi-patch': 'the server merges by default; client-side apply replaces lists',
  'kustomize --as-current-user': 'no functions are run in containers',
  'kustomize --enable-alpha-plugins': 'plugins of kustomize run foreign programs, which orchctl does not',
  'kustomize --enable-helm': 'charts need the program helm: helm template | orchctl apply -f -',
  'kustomize --env': 'no functions are run in containers',
  'kustomize --helm-api-versions': 'see --enable-helm',
  'kustomize --helm-command': 'see --enable-helm',
  'kustomize --helm-debug': 'see --enable-helm',
  'kustomize --helm-kube-version': 'see --enable-helm',
  'kustomize --load-restrictor': 'files outside of the folder are never read',
  'kustomize --mount': 'no functions are run in containers',
  'kustomize --network': 'no functions are run in containers',
  'kustomize --network-name': 'no functions are run in containers',
  'top node --use-protocol-buffers': 'JSON is read as fast',
  'top pod --use-protocol-buffers': 'JSON is read as fast',
  'run --filename': 'kubectl has it and ignores it',
  'run --kustomize': 'kubectl has it and ignores it',
  'run --recursive': 'kubectl has it and ignores it',
}

/** Why orchctl has no such command. */
export const commandsLeftOut: Readonly<Record<string, string>> = {
  'kuberc set': 'there is no file of preferences; shell aliases do the same',
  'kuberc view': 'see kuberc set',
}
