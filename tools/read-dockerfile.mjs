/** The instructions of a Dockerfile, in order: `{ name: 'RUN', text: 'npm ci' }`. A line that ends with \ continues on the next. */
export const readDockerfile = content =>
  content
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .map(line => /^([A-Z]+)\s+(.*\S)\s*$/.exec(line))
    .filter(Boolean)
    .map(([, name, text]) => ({ name, text }))
