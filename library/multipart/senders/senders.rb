# Sends the form by net/http; see record.
require 'net/http'

charset, url, file = ARGV
request = Net::HTTP::Post.new(URI(url))
form = [['name', 'Müller'], ['photo', File.open(file, 'rb'), { content_type: 'application/octet-stream' }]]
options = charset == 'utf-8' ? {} : { charset: charset }
request.set_form(form, 'multipart/form-data', options)
Net::HTTP.start(request.uri.host, request.uri.port) { |http| http.request(request) }.value
