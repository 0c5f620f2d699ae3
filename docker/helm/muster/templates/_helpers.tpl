{{/* The beginning of the names of all objects. */}}
{{- define "muster.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 45 | trimSuffix "-" -}}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if contains $name .Release.Name -}}
{{- .Release.Name | trunc 45 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 45 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Of (dict "root" $ "component" "queue"): the labels that select its pods. They never change. */}}
{{- define "muster.selector" -}}
app.kubernetes.io/name: muster
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "muster.labels" -}}
{{ include "muster.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/part-of: muster
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "muster.image" -}}
{{- $values := index .root.Values .component -}}
{{- printf "%s:%s" $values.image (default .root.Chart.AppVersion .root.Values.image.tag) -}}
{{- end -}}

{{/* Seconds from SIGTERM to the kill: the drain, two seconds, and the pause before it. */}}
{{- define "muster.grace" -}}
{{- $ms := ternary (add (int .root.Values.edge.drainMs) 3000) (add (int .root.Values.drain.pauseMs) (int .root.Values.drain.limitMs)) (eq .component "edge") -}}
{{- add (div (add $ms 999) 1000) 2 (int .root.Values.preStopSeconds) -}}
{{- end -}}

{{/* Settings that the chart derives from values of its own, with that value. */}}
{{- define "muster.reserved" -}}
DRAIN_PAUSE_MS: drain.pauseMs
DRAIN_LIMIT_MS: drain.limitMs
EDGE_DRAIN_MS: edge.drainMs
HTTP_HOST: listenHost
HTTP_PORT: the chart, which sets 7000
GRPC_HOST: listenHost
GRPC_PORT: the chart, which sets 50051
EDGE_HOST: listenHost
EDGE_PORT: the chart, which sets 8080
EDGE_METRICS_PORT: the chart, which sets 7001
TCP_PORT: rating.lineProtocol.port
TCP_HOST: listenHost
QUEUES_FILE: queue.rules
PLAYER_LOGINS: logins
GRPC_CA_FILE: secrets.grpc
GRPC_CERT_FILE: secrets.grpc
GRPC_KEY_FILE: secrets.grpc
{{- end -}}

{{/* The settings of one of the four services that the chart sets, as a map from name to value or valueFrom. */}}
{{- define "muster.settings" -}}
{{- $v := .root.Values -}}
{{- $name := include "muster.fullname" .root -}}
HTTP_HOST: { value: {{ $v.listenHost | quote }} }
HTTP_PORT: { value: "7000" }
DRAIN_PAUSE_MS: { value: {{ int $v.drain.pauseMs | quote }} }
DRAIN_LIMIT_MS: { value: {{ int $v.drain.limitMs | quote }} }
REALM: { value: {{ $v.realm | quote }} }
LOG_LEVEL: { value: {{ $v.logLevel | quote }} }
{{- if $v.logins }}
PLAYER_LOGINS: { value: "@/etc/muster/logins/logins.yaml" }
{{- end }}
{{- if $v.secrets.keys.playerJwks }}
PLAYER_JWKS: { value: "@/etc/muster/keys/player-jwks" }
{{- end }}
COORDINATOR_KEY: { value: "@/etc/muster/keys/coordinator-key" }
SERVER_KEY: { value: "@/etc/muster/keys/server-key" }
OPERATOR_KEY: { value: "@/etc/muster/keys/operator-key" }
{{- if $v.corsOrigins }}
CORS_ORIGINS: { value: {{ $v.corsOrigins | quote }} }
{{- end }}
{{- with $v.secrets.database }}{{ if .name }}
DATABASE_URL: { valueFrom: { secretKeyRef: { name: {{ .name | quote }}, key: {{ .key | quote }} } } }
{{- end }}{{ end }}
{{- with $v.secrets.redis }}{{ if .name }}
REDIS_URL: { valueFrom: { secretKeyRef: { name: {{ .name | quote }}, key: {{ .key | quote }} } } }
{{- end }}{{ end }}
{{- if ne .component "queue" }}
GRPC_HOST: { value: {{ $v.listenHost | quote }} }
GRPC_PORT: { value: "50051" }
{{- end }}
{{- if $v.secrets.grpc.name }}
GRPC_CA_FILE: { value: /etc/muster/grpc/ca.crt }
GRPC_CERT_FILE: { value: /etc/muster/grpc/tls.crt }
GRPC_KEY_FILE: { value: /etc/muster/grpc/tls.key }
{{- end }}
{{- if has .component (list "queue" "assignment") }}
RATING_GRPC: { value: "dns:///{{ $name }}-rating-grpc:50051" }
{{- end }}
{{- if eq .component "queue" }}
ASSIGNMENT_GRPC: { value: "dns:///{{ $name }}-assignment-grpc:50051" }
ALLOCATOR_GRPC: { value: "dns:///{{ $name }}-allocator-grpc:50051" }
{{- if $v.queue.rules }}
QUEUES_FILE: { value: "/etc/muster/rules/queues.yaml" }
{{- end }}
{{- end }}
{{- if and (eq .component "rating") $v.rating.lineProtocol.enabled }}
TCP_HOST: { value: {{ $v.listenHost | quote }} }
TCP_PORT: { value: {{ int $v.rating.lineProtocol.port | quote }} }
{{- end }}
{{- end -}}

{{/* The same of the edge. It reaches each service under one name: Kubernetes balances, and the edge probes what answers. */}}
{{- define "muster.edgeSettings" -}}
{{- $v := .root.Values -}}
{{- $name := include "muster.fullname" .root -}}
EDGE_HOST: { value: {{ $v.listenHost | quote }} }
EDGE_PORT: { value: "8080" }
EDGE_DRAIN_MS: { value: {{ int $v.edge.drainMs | quote }} }
EDGE_KEEP_ALIVE_TIMEOUT_MS: { value: "75000" }
EDGE_METRICS_PORT: { value: "7001" }
LOG_LEVEL: { value: {{ $v.logLevel | quote }} }
{{- if $v.corsOrigins }}
CORS_ORIGINS: { value: {{ $v.corsOrigins | quote }} }
{{- end }}
{{- $upstreams := dict -}}
{{- range $service := list "queue" "assignment" "allocator" "rating" }}
{{- $_ := set $upstreams $service (list (printf "http://%s-%s:7000" $name $service)) -}}
{{- end }}
EDGE_UPSTREAMS: { value: {{ $upstreams | toJson | quote }} }
{{- end -}}

{{/*
The env of a container, of (dict "settings" <map> "env" <list of maps> "extraEnv" <list of lists>). Later ones win over earlier
ones, and each name is there once. `extraEnv` comes first, so that other values may refer to it as $(NAME).
*/}}
{{- define "muster.env" -}}
{{- $reserved := include "muster.reserved" . | fromYaml -}}
{{- $extra := list -}}
{{- $names := list -}}
{{- range $list := reverse .extraEnv }}{{ range $entry := reverse $list }}
{{- if hasKey $reserved $entry.name }}{{ fail (printf "extraEnv: %s is set by %s" $entry.name (index $reserved $entry.name)) }}{{ end }}
{{- if not (has $entry.name $names) }}
{{- $extra = prepend $extra $entry -}}
{{- $names = append $names $entry.name -}}
{{- end }}
{{- end }}{{ end }}
{{- $settings := .settings -}}
{{- range $map := .env }}{{ range $key, $value := $map }}
{{- if hasKey $reserved $key }}{{ fail (printf "env: %s is set by %s" $key (index $reserved $key)) }}{{ end }}
{{- $text := ternary (printf "%.0f" $value) (toString $value) (and (kindIs "float64" $value) (eq (floor $value) $value)) -}}
{{- $_ := set $settings $key (dict "value" $text) -}}
{{- end }}{{ end }}
{{- range $entry := $extra }}
- {{ toYaml $entry | nindent 2 | trim }}
{{- end }}
{{- range $key := keys $settings | sortAlpha }}
{{- if not (has $key $names) }}
- name: {{ $key }}
  {{- toYaml (index $settings $key) | nindent 2 }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Where pods run. */}}
{{- define "muster.scheduling" -}}
{{- $v := .root.Values -}}
{{- with $v.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $v.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $v.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $v.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- end -}}

{{/* Pods run as a user without rights and hold no token of the cluster. */}}
{{- define "muster.podSecurity" -}}
securityContext:
  runAsNonRoot: true
  runAsUser: {{ int .Values.runAsUser }}
  runAsGroup: {{ int .Values.runAsGroup }}
  fsGroup: {{ int .Values.runAsGroup }}
  seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "muster.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end -}}
